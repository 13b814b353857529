import { expect, test } from 'vitest';
import type { Target } from '../../../../spec/files/target.ts';
import type { RuleId } from '../../../../spec/rules.ts';
import type { History } from '../../../history/history.ts';
import { defects } from '../../../proof/defects/index.ts';
import type { LegalVariant } from '../../../proof/legal-variants/legal-variant.ts';
import { fromCache } from '../../../proof/tampering/from-cache.ts';
import { named } from '../../../proof/trials/named.ts';
import { networkProfiles } from '../../../proof/trials/network-profiles.ts';
import { type TrialOptions, tryDefect, tryVariant } from '../../../proof/trials/trial.ts';
import { judgeHistory } from '../../judge-history.ts';
import { judgeBy } from '../../judging/judge.ts';
import { interference } from '../interference.ts';
import { labels } from '../labels.ts';
import { staleReplies, staleRepliesId } from './stale-replies.ts';

const network = (id: string) => networkProfiles.find((one) => one.id === id) as NonNullable<TrialOptions['network']>;
const isContext = { id: 'getConversationContext', ok: true } as const;
const rules: ReadonlySet<RuleId> = new Set(['labels/apply-adds', 'labels/remove-removes']);
const settling = (target: Target) => ({ ...target, settleMilliseconds: 1_000 });
const cachedFor = async (milliseconds: number) => {
  const defect = {
    id: 'test',
    breaks: 'labels/apply-adds',
    does: `answers with a context of up to ${milliseconds} milliseconds ago`,
    around: fromCache({ keeps: isContext, answers: isContext, milliseconds }),
    // Where writes settle at once, it is surely the deployment.
    target: settling,
  } as const;
  return (await tryDefect(defect, { rules })).history;
};
const outcomes = (history: History) =>
  labels.filter(({ id }) => rules.has(id as RuleId)).map((law) => judgeBy(law, history).outcome);

test.each([2, 5, 30])(
  'a cache of %s seconds is not taken for another client',
  async (seconds) => {
    const history = await cachedFor(1_000 * seconds);
    expect(interference(history)).toBeNull();
    expect(outcomes(history)).toEqual(['fail', 'fail']);
    const results = judgeHistory(history);
    expect(results.filter(({ outcome }) => outcome === 'inconclusive').map(({ id }) => id)).toEqual([]);
    // Nothing but the writes themselves is blamed for what is shown late.
    for (const rule of ['isolation/writes-stay-in-tenant', 'labels/membership-is-a-set'])
      expect(results.find(({ id }) => id === rule)?.outcome).not.toBe('fail');
  },
  30_000,
);

test.each([
  ['labels/two-instances-in-turn', 'near', 'all'],
  ['labels/two-instances-at-random', 'jittery', 'all'],
  ['labels/contexts-from-two-replicas', 'jittery', 'reads'],
  ['labels/contexts-ten-seconds-behind', 'jittery', 'reads'],
])(
  '%s, which the run meets with a %s network, is no other client',
  async (id, profile, kind) => {
    const { history } = await tryDefect(
      { ...named(defects, id), target: settling },
      { rules, network: network(profile) },
    );
    expect(staleReplies(history)).toMatchObject({ kind });
    expect(interference(history)).toBeNull();
    expect(outcomes(history)).toEqual(['fail', 'fail']);
  },
  30_000,
);

test('what only half of the looks show may be another client', async () => {
  const { history } = await tryDefect(
    { ...named(defects, 'labels/two-instances-in-turn'), target: settling },
    { rules },
  );
  const looks = history.exchanges.filter(({ situation }) => situation === staleRepliesId);
  const half = new Set(looks.slice(0, looks.length / 2));
  const exchanges = history.exchanges.filter((one) => half.has(one) || one.situation !== staleRepliesId);
  expect(staleReplies(history).kind).toBe('all');
  expect(staleReplies({ ...history, exchanges }).kind).toBe('none');
});

test('refused writes are not blamed for contexts that are ten seconds old', async () => {
  const { history } = await tryDefect({ ...named(defects, 'labels/contexts-ten-seconds-behind'), target: settling });
  const failed = judgeHistory(history).flatMap(({ id, outcome }) => (outcome === 'fail' ? [id] : []));
  expect(failed).toContain('labels/apply-adds');
  expect(failed.filter((id) => !id.startsWith('labels/'))).toEqual([]);
}, 30_000);

/** A colleague who puts the spare label on all conversations and takes it off, in a regular or irregular way. */
const colleague = (isOn: (now: number) => boolean): LegalVariant => ({
  id: 'test',
  does: 'has a colleague who uses the spare label',
  around: ({ handle, mock }) => {
    const tenant = mock.tenants.get('acme');
    const spare = tenant?.records.labels.get('1abe1008-0000-4000-8000-000000000008');
    let last = false;
    return (request, trace) => {
      const on = isOn(mock.clock.now());
      if (on !== last && tenant && spare)
        for (const conversation of tenant.conversations.values())
          if (on) tenant.applyLabel(conversation, spare);
          else tenant.removeLabel(conversation, spare);
      last = on;
      return handle(request, trace);
    };
  },
});
const share = (period: number, part: number) => (now: number) => now % period < part * period;
const irregular = (period: number) => (now: number) => (Math.floor(now / period) * 2654435761) % 2 ** 32 < 2 ** 31;

test.each([
  ['every 100 ms', 'near', share(100, 0.5)],
  ['every 400 ms', 'near', share(400, 0.5)],
  ['every 1,500 ms', 'jittery', share(1_500, 0.5)],
  ['for 30 of 300 ms', 'jittery', share(300, 0.1)],
  ['for 700 ms of 7 s', 'near', share(7_000, 0.1)],
  ['irregularly', 'jittery', irregular(300)],
  ['irregularly, for seconds', 'near', irregular(3_500)],
])(
  'another client may put a label on and take it off %s',
  async (_, profile, isOn) => {
    const { history } = await tryVariant(colleague(isOn), { rules, network: network(profile) });
    expect(history.exchanges.length).toBeGreaterThan(100);
    expect(staleReplies(history).kind).toBe('none');
    expect(labels.filter((law) => judgeBy(law, history).outcome === 'fail')).toEqual([]);
  },
  30_000,
);
