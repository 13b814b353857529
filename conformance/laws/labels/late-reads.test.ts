import { expect, test } from 'vitest';
import { fromCache } from '../../proof/tampering/from-cache.ts';
import { tryDefect } from '../../proof/trials/trial.ts';
import { judgeBy } from '../judging/judge.ts';
import { labels } from './labels.ts';
import { lateReads, lateReadsId } from './late-reads.ts';

const isContext = { id: 'getConversationContext', ok: true } as const;
const { history: cached } = await tryDefect({
  id: 'test',
  breaks: 'labels/apply-adds',
  does: 'answers with a context of up to 3.5 seconds ago',
  around: fromCache({ keeps: isContext, answers: isContext, milliseconds: 3_500 }),
  // Where writes settle at once, it is surely the deployment.
  target: (target) => ({ ...target, settleMilliseconds: 1_000 }),
});
const outcomes = (history: typeof cached) =>
  labels
    .filter(({ id }) => id === 'labels/apply-adds' || id === 'labels/remove-removes')
    .map((law) => judgeBy(law, history).outcome);

test('replies that are late after each write are the fault of the deployment', () => {
  expect(lateReads(cached).size).toBeGreaterThan(3);
  expect(outcomes(cached)).toEqual(['fail', 'fail']);
});

test('a label that also changes the other way may be changed by another client', () => {
  const reads = cached.exchanges.filter((one) => one.situation === lateReadsId && one.operation === isContext.id);
  const last = reads.at(-1);
  const late = [...lateReads(cached)].at(-1);
  // The last read of all shows the label again that was removed before it.
  const exchanges = cached.exchanges.map((one) => (one === last && late ? { ...one, body: late.body } : one));
  expect(lateReads({ ...cached, exchanges })).toEqual(new Set());
  expect(outcomes({ ...cached, exchanges })).toEqual(['inconclusive', 'inconclusive']);
});
