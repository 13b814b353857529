import { expect, test } from 'vitest';
import { defects } from '../defects/index.ts';
import { named } from './named.ts';
import { tryDefect } from './trial.ts';
import { Twin } from './twin.ts';

/** How often a run of the situations for a rule met the defect. */
async function met(id: string | null, rule: 'upload/start-is-201' | 'labels/site-label-set' | 'auth/no-key-is-403') {
  const twin = new Twin();
  const { history } = await tryDefect(id === null ? null : named(defects, id), { twin, rules: new Set([rule]) });
  return { met: twin.metIn(history).length, differences: twin.differences.length };
}

test('what a deployment answers is met only where the contract does not allow it', async () => {
  expect(await met(null, 'upload/start-is-201')).toEqual({ met: 0, differences: 0 });
  expect(await met('upload/breaks-for-parameters', 'upload/start-is-201')).toEqual({ met: 0, differences: 0 });
  expect((await met('labels/legacy-set-has-another-id', 'labels/site-label-set')).met).toBeGreaterThan(0);
  const lost = await met('labels/two-removals-at-once-on-site', 'labels/site-label-set');
  expect([lost.met > 0, lost.met < lost.differences]).toEqual([true, true]);
  // What a path with a slash at its end answers to a key is open, and without a key it is not.
  const elsewhere = await met('auth/no-key-at-another-path', 'auth/no-key-is-403');
  expect([elsewhere.met > 0, elsewhere.met < elsewhere.differences]).toEqual([true, true]);
});
