import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../mock/proof/tampering/json-value.ts';
import { judgeBy } from '../../laws/judging/judge.ts';
import { buckets } from '../../laws/limiter/buckets.ts';
import { defects } from '../../proof/defects/index.ts';
import { legalVariants } from '../../proof/legal-variants/index.ts';
import type { Defect } from '../../proof/tampering/defect.ts';
import { onReplyTo } from '../../proof/tampering/when.ts';
import { named } from '../../proof/trials/named.ts';
import { networkProfiles } from '../../proof/trials/network-profiles.ts';
import { tryDefect, tryVariant } from '../../proof/trials/trial.ts';

type Trial = Awaited<ReturnType<typeof tryDefect>>;

const secondsOf = ({ history: { known, finishedAt } }: Trial) =>
  (Date.parse(finishedAt) - Date.parse(known.startedAt)) / 1000;
const requestsOf = ({ history: { exchanges } }: Trial, situation: string) =>
  exchanges.filter((one) => one.situation === situation).length;

describe('what a run costs, on a network of 80 ms', () => {
  it('is at most a minute, and 500 requests of a key, against an honest limiter', async () => {
    const run = await tryDefect(null, { slow: false });
    expect(secondsOf(run)).toBeLessThan(60);
    const ofKeys = Map.groupBy(run.history.exchanges, ({ key }) => key);
    ofKeys.delete(null);
    expect(Math.max(...[...ofKeys.values()].map(({ length }) => length))).toBeLessThanOrEqual(500);
  });

  it('is no load test where the operator raised the limits of keys', async () => {
    const { history } = await tryVariant(named(legalVariants, 'limits-raised'), { slow: false });
    const ofKeys = Map.groupBy(history.exchanges, ({ key }) => key);
    ofKeys.delete(null);
    expect(Math.max(...[...ofKeys.values()].map(({ length }) => length))).toBeLessThanOrEqual(700);
  });

  it.each(['shared-by-all', 'retry-after-lies'])(
    'is at most a minute and a half where the limiter is wrong: %s',
    async (id) => {
      const run = await tryDefect(named(defects, `limiter/${id}`), { slow: false });
      expect(secondsOf(run)).toBeLessThanOrEqual(90);
      expect([run.history.left, run.changed]).toEqual([[], []]);
    },
  );
});

describe('what a bad network hides is measured again', () => {
  const rules = new Set(['limiter/steady-rate', 'limiter/burst', 'limiter/own-bucket-per-key'] as const);
  const busy: Defect = {
    id: 'test',
    breaks: 'limiter/steady-rate',
    does: 'answers every twentieth request 503',
    around: onReplyTo({ every: 20 }, () => errorWith(503, 'BUSY')),
  };

  it('so that a right limiter is called so', async () => {
    const run = await tryDefect(busy, { rules, seed: 6, network: named(networkProfiles, 'late') });
    expect(requestsOf(run, 'limiter/measured-again')).toBeGreaterThan(300);
    expect(buckets.map((law) => judgeBy(law, run.history).outcome)).toEqual(['pass', 'pass', 'pass']);
  });

  it('and only then', async () => {
    const run = await tryDefect(busy, { rules });
    expect(requestsOf(run, 'limiter/measured-again')).toBe(0);
  });
});

describe('nothing is sent that cannot change a verdict', () => {
  const rules = new Set(['limiter/steady-rate', 'limiter/burst', 'limiter/own-bucket-per-key'] as const);

  it.each([
    ['a key is surely shut after a 429', 'penalty-of-three-seconds', ['clustering', 'other-keys-at-the-rate']],
    ['another status comes in place of 429', 'answers-503', ['clustering']],
    ['one volley shows that too many are admitted', 'fixed-ten-seconds', ['clustering']],
    ['the limiter delays requests', 'held-back', ['clustering']],
    ['the limiter is a bucket of another rate', '8-per-second', ['clustering', 'other-keys-at-the-rate']],
    [
      'the measured key surely pays for others',
      'one-key-pays-for-others',
      ['sustained', 'paced', 'again', 'clustering'],
    ],
  ])('where %s', async (_, id, without) => {
    const run = await tryDefect(named(defects, `limiter/${id}`), { rules });
    for (const situation of without)
      expect([situation, requestsOf(run, `limiter/${situation}`)]).toEqual([situation, 0]);
  });

  it('where the first turn shows that no other key takes tokens of a suspect', async () => {
    const run = await tryDefect(named(defects, 'limiter/burst-halved-after-the-first'), { rules });
    expect(requestsOf(run, 'limiter/apart')).toBeLessThan(400);
  });

  it('but volleys are sent around the ends of windows where the limiter refills in steps', async () => {
    const run = await tryVariant(named(legalVariants, 'refill-every-1000-ms'), { rules });
    expect(requestsOf(run, 'limiter/clustering')).toBe(430);
  });
});
