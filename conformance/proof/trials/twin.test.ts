import { expect, test } from 'vitest';
import { replyWith } from '../../../mock/proof/tampering/json-value.ts';
import { labelWriteOf } from '../../target/holder.ts';
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

test('a context that is read beside a write may show its label or not', async () => {
  const { history } = await tryDefect(null, { rules: new Set(['labels/apply-adds']) });
  const reads = history.exchanges.filter((one) => one.operation === 'getConversationContext' && one.status === 200);
  const isBeside = ({ params, sentAt, doneAt }: (typeof reads)[number]) =>
    history.exchanges.some(
      (one) =>
        labelWriteOf(one.operation, one.params)?.holder.kind === 'conversation' &&
        one.params.id === params.id &&
        one.params.labelId === '1abe1008-0000-4000-8000-000000000008' &&
        one.sentAt < doneAt &&
        sentAt < one.doneAt,
    );
  const metAt = (read: (typeof reads)[number] | undefined, label: string) => {
    const twin = new Twin();
    const at = ((read?.sentAt ?? 0) + (read?.doneAt ?? 0)) / 2;
    const [answer, correct] = [[], [label]].map((labels) => replyWith(200, { labels }));
    if (read && answer && correct) twin.differences.push({ at, url: read.url, answer, correct });
    return twin.metIn(history).length;
  };
  const [beside, alone] = [reads.find(isBeside), reads.find((one) => !isBeside(one))];
  expect([metAt(beside, 'spare'), metAt(beside, 'urgent'), metAt(alone, 'spare')]).toEqual([0, 1, 1]);
});
