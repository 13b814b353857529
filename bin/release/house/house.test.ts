import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { rulesFor } from '../../../spec/rules.ts';

// What imports what, what nobody uses and what stands twice: `npm run lint`, with dependency-cruiser, knip and jscpd.

const root = resolve(import.meta.dirname, '../../..');

it('every rule that only tests of the mock can verify is named in such a test', () => {
  const tests = globSync('{mock,bin}/**/*.test.ts', { cwd: root });
  const text = tests.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  expect(rulesFor('mock').filter(({ id }) => !text.includes(id))).toEqual([]);
});
