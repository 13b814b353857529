import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { parseTarget, type Target } from '../files/target.ts';

const described = parse(readFileSync(new URL('../../fixtures/mock.target.yaml', import.meta.url), 'utf8'));

/** The packaged target, which describes the mock, as if it stood elsewhere. */
export const mockTarget = (baseUrl: string): Target => parseTarget({ ...described, baseUrl }, {}, 'target');
