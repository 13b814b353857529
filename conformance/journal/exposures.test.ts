import { expect, it } from 'vitest';
import type { Exchange } from '../history/exchange.ts';
import { completeTarget } from '../scripts/missing-target-fields.ts';
import { deploymentOf } from '../target/deployment.ts';
import { createExposures } from './exposures.ts';

const deployment = deploymentOf(completeTarget);
const id = deployment.tenant.sites?.legacy ?? '';
const theirs = deployment.stranger?.sites?.legacy ?? '';
const [spare, other] = ['00000000-0000-4000-8000-000000000009', '00000000-0000-4000-8000-00000000000a'];

const write = (act: 'apply' | 'remove', labelId: string, status: number | null, key = 'acme/full') =>
  ({ operation: `${act}SiteLabel`, params: { id, labelId }, key, status }) as unknown as Exchange;

it('counts what changes a record apart from what is refused or repeats what is so', () => {
  const exposures = createExposures(deployment);
  for (const one of [
    write('remove', spare, 200),
    write('apply', spare, 200),
    write('apply', spare.toUpperCase(), 200),
    write('apply', other, 403),
    write('remove', spare, 200),
  ])
    exposures.saw(one);
  expect(exposures.of(`acme site ${id}`)).toEqual({ changes: 2, others: 3 });
});

it('counts a write without a reply, which may have arrived, and each tenant for itself', () => {
  const exposures = createExposures(deployment);
  exposures.saw(write('apply', spare, null));
  exposures.saw({ ...write('apply', spare, 200, 'globex/full'), params: { id: theirs, labelId: spare } });
  expect(exposures.of(`acme site ${id}`)).toEqual({ changes: 1, others: 0 });
  expect(exposures.writesTo({ kind: 'site', id })).toBe(1);
});
