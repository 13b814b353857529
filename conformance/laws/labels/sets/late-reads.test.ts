import { expect, test } from 'vitest';
import type { Target } from '../../../../spec/files/target.ts';
import type { RuleId } from '../../../../spec/rules.ts';
import type { History } from '../../../history/history.ts';
import { defects } from '../../../proof/defects/index.ts';
import type { LegalVariant } from '../../../proof/legal-variants/legal-variant.ts';
import { fromCache } from '../../../proof/tampering/from-cache.ts';
import { named } from '../../../proof/trials/named.ts';
import { tryDefect, tryVariant } from '../../../proof/trials/trial.ts';
import { judgeHistory } from '../../judge-history.ts';
import { judgeBy } from '../../judging/judge.ts';
import { interference } from '../interference.ts';
import { labels } from '../labels.ts';
import { contradicted } from '../wrong-sets.ts';
import { lateReads, lateReadsId } from './late-reads.ts';

const isContext = { id: 'getConversationContext', ok: true } as const;
const cachedFor = async (milliseconds: number, rules?: ReadonlySet<RuleId>) => {
  const defect = {
    id: 'test',
    breaks: 'labels/apply-adds',
    does: `answers with a context of up to ${milliseconds} milliseconds ago`,
    around: fromCache({ keeps: isContext, answers: isContext, milliseconds }),
    // Where writes settle at once, it is surely the deployment.
    target: (target: Target) => ({ ...target, settleMilliseconds: 1_000 }),
  } as const;
  return (await tryDefect(defect, { ...(rules && { rules }) })).history;
};
const [cached, longer] = [await cachedFor(2_000), await cachedFor(5_000, new Set(['labels/apply-adds']))];
const outcomes = (history: History) =>
  labels
    .filter(({ id }) => id === 'labels/apply-adds' || id === 'labels/remove-removes')
    .map((law) => judgeBy(law, history).outcome);

test.each([
  [2, cached],
  [5, longer],
])(
  'a cache of %s seconds is not taken for another client',
  (_, history) => {
    expect(interference(history)).toBeNull();
    expect(outcomes(history)).toEqual(['fail', 'fail']);
    const results = judgeHistory(history);
    expect(results.filter(({ outcome }) => outcome === 'inconclusive').map(({ id }) => id)).toEqual([]);
    // Nothing but the writes themselves is blamed for what is shown late.
    expect(results.find(({ id }) => id === 'isolation/writes-stay-in-tenant')?.outcome).toBe('pass');
    expect(results.find(({ id }) => id === 'labels/membership-is-a-set')?.outcome).toBe('pass');
  },
  30_000,
);

test('replies that are late after each write are the fault of the deployment', () => {
  expect(lateReads(cached).replies.size).toBeGreaterThan(3);
  expect(outcomes(cached)).toEqual(['fail', 'fail']);
});

test('a label that also changes the other way may be changed by another client', () => {
  const reads = cached.exchanges.filter((one) => one.situation === lateReadsId && one.operation === isContext.id);
  const last = reads.at(-1);
  const late = [...lateReads(cached).replies].at(-1);
  // The last read of all shows the label again that was removed before it.
  const exchanges = cached.exchanges.map((one) => (one === last && late ? { ...one, body: late.body } : one));
  expect(lateReads({ ...cached, exchanges })).toMatchObject({ replies: new Set(), age: 0 });
  expect(outcomes({ ...cached, exchanges })).toEqual(['inconclusive', 'inconclusive']);
});

const rules = new Set(['labels/apply-adds', 'labels/remove-removes'] as const);
const failing = (history: History) => labels.filter((law) => judgeBy(law, history).outcome === 'fail');

test('replies to reads sent together that differ time after time are the fault of the deployment', async () => {
  const { history } = await tryDefect(named(defects, 'labels/contexts-from-two-replicas'), { rules });
  expect(contradicted(history).size).toBeGreaterThan(3);
  expect(failing(history).length).toBeGreaterThan(0);
});

test.each([400, 1_500])('another client may put a label on and take it off every %s ms', async (period) => {
  const colleague: LegalVariant = {
    id: 'test',
    does: 'has a colleague who uses the spare label',
    around: ({ handle, mock }) => {
      const tenant = mock.tenants.get('acme');
      const spare = tenant?.records.labels.get('1abe1008-0000-4000-8000-000000000008');
      let last = 0;
      return (request, trace) => {
        const turn = Math.floor(mock.clock.now() / period);
        if (turn !== last && tenant && spare)
          for (const conversation of tenant.conversations.values())
            if (turn % 2 === 1) tenant.applyLabel(conversation, spare);
            else tenant.removeLabel(conversation, spare);
        last = turn;
        return handle(request, trace);
      };
    },
  };
  const { history } = await tryVariant(colleague, { rules });
  expect(history.exchanges.length).toBeGreaterThan(100);
  expect(lateReads(history).replies).toEqual(new Set());
  expect(contradicted(history)).toEqual(new Set());
  expect(failing(history)).toEqual([]);
});
