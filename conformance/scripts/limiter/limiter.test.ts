import { describe, expect, it } from 'vitest';
import { defects } from '../../../mock/wrong/defects/index.ts';
import { legalVariants } from '../../../mock/wrong/habits/index.ts';
import type { LegalVariant } from '../../../mock/wrong/tampering/defect.ts';
import { errorWith } from '../../../mock/wrong/tampering/json-value.ts';
import { bucket, limitedBy, shared, tooManyRequests } from '../../../mock/wrong/tampering/limiters.ts';
import { instead } from '../../../mock/wrong/tampering/tamper.ts';
import { endConnection } from '../../../mock/wrong/tampering/when.ts';
import { rules as allRules } from '../../../spec/rules.ts';
import { named, networkProfiles, tryDefect, tryVariant } from '../../proof/trials/trial.ts';
import { deploymentOf } from '../../target/deployment.ts';
import { evidenceIn } from '../../verdict/evidence.ts';
import { limiterAgain } from './limiter.ts';
import { rest } from './shots.ts';

type Trial = Awaited<ReturnType<typeof tryDefect>>;

const rules = new Set(allRules.map(({ id }) => id).filter((id) => id.startsWith('limiter/')));

const secondsOf = ({ history: { known, finishedAt } }: Trial) =>
  (Date.parse(finishedAt) - Date.parse(known.startedAt)) / 1000;
const requestsOf = ({ history: { exchanges } }: Trial, key: string) =>
  exchanges.filter((one) => one.key === key).length;
const sayings = ({ history }: Trial, what: 'failures' | 'unclear') =>
  [...evidenceIn(history)].flatMap(([rule, evidence]) =>
    rule.startsWith('limiter/') && evidence[what].length > 0 ? [rule] : [],
  );

it('a limit that is declared below that of the contract is not said to keep it', async () => {
  const lower = { perSecond: 8, burst: 10 };
  const variant: LegalVariant = {
    ...{ id: 'lower', does: 'declares and admits less', options: limitedBy(() => bucket(lower)) },
    target: ({ tenants, ...target }) => ({
      ...target,
      tenants: tenants.map((one) => ({ ...one, keys: one.keys.map((key) => ({ ...key, rateLimit: lower })) })),
    }),
  };
  const { history } = await tryVariant(variant, { rules, slow: false });
  const { unclear = [] } = evidenceIn(history).get('limiter/steady-rate') ?? {};
  expect(unclear).toEqual(['the target file declares 8 for key acme/limits, and the contract 10, which may be raised']);
});

describe('what is sent', () => {
  it('takes less than a minute on a network of 80 ms, and 370 requests of the reserved key', async () => {
    const run = await tryDefect(null, { rules, slow: false });
    expect(secondsOf(run)).toBeLessThan(55);
    expect(requestsOf(run, 'acme/limits')).toBeLessThanOrEqual(370);
    expect(run.history.exchanges.length).toBeLessThanOrEqual(700);
    expect([run.changed, sayings(run, 'failures'), sayings(run, 'unclear')]).toEqual([[], [], []]);
  });

  it('is no load where the operator raised the limits of keys', async () => {
    const { history } = await tryVariant(named(legalVariants, 'limits-raised'), { rules, slow: false });
    const ofKeys = Map.groupBy(history.exchanges, ({ key }) => key);
    expect(Math.max(...[...ofKeys.values()].map(({ length }) => length))).toBeLessThanOrEqual(370);
  });
});

it.each([
  ['limiter/429-comes-before-the-handler', 'one request of a volley is lost', (n: number) => n === 10, endConnection],
  [
    'limiter/clustering-gains-nothing',
    'a backend of seventeen is bad',
    (n: number) => n % 17 === 3,
    () => errorWith(502, 'BAD_GATEWAY'),
  ],
] as const)('measures %s though %s', async (rule, _, isLost, answer) => {
  let n = 0;
  const around: LegalVariant['around'] =
    ({ handle }) =>
    async (request, trace) => {
      const reply = await handle(request, trace);
      return trace?.key?.name === 'limits' && isLost(++n) ? answer() : reply;
    };
  const variant = { ...named(legalVariants, 'gcra-20'), around };
  // Alone, the writes begin with a full bucket.
  const isAlone = rule === 'limiter/429-comes-before-the-handler';
  const { history } = await tryVariant(variant, { rules: isAlone ? new Set([rule]) : rules, slow: false });
  expect(evidenceIn(history).get(rule)?.kept).toBeGreaterThan(0);
});

/** For some seconds, whatever is asked is answered so. */
const outage = (from: number, kind: '503' | '403' | 'reset' | 'hangs'): LegalVariant => ({
  id: `out-at-${from}`,
  does: 'is out for three seconds',
  around(scene) {
    const { mock, handle } = scene;
    const since = mock.clock.now() + from * 1000;
    const isUp = () => mock.clock.now() < since || mock.clock.now() > since + 3_000;
    return async (request, trace) => {
      if (isUp() || !request.url.startsWith('/v1')) return handle(request, trace);
      if (kind === 'reset') return endConnection();
      return kind === 'hangs'
        ? { ...(await handle(request, trace)), delay: 31_000 }
        : errorWith(Number(kind), 'ROLLING_OUT');
    };
  },
});

describe('three seconds in which nothing is served are no fault of the limiter', () => {
  it.each(
    [2.9, 4.2, 20, 40].flatMap((from) =>
      (['503', '403', 'reset', 'hangs'] as const).map((kind) => [from, kind] as const),
    ),
  )('after %s s: %s', async (from, kind) => {
    expect(sayings(await tryVariant(outage(from, kind), { rules, slow: false }), 'failures')).toEqual([]);
  });
});

describe('what only one client of a key can have done', () => {
  it.each([
    [6, 700],
    [4, 2000],
    [1, 333],
  ])('is inconclusive: %s requests with the reserved key every %s ms', async (requests, milliseconds) => {
    const busy = { id: 'busy', does: 'has another client', around: shared(requests, milliseconds, 'limits') };
    const run = await tryVariant(busy, { rules, slow: false });
    expect(sayings(run, 'failures')).toEqual([]);
    expect(sayings(run, 'unclear')).toContain('limiter/steady-rate');
  });

  it.each([
    ['8-per-second', 'limiter/steady-rate'],
    ['burst-18', 'limiter/burst'],
    ['shared-by-tenant', 'limiter/own-bucket-per-key'],
    ['one-key-pays-for-others', 'limiter/own-bucket-per-key'],
    ['retry-after-lies', 'limiter/waiting-retry-after-suffices'],
    ['carried-out-every-apply', 'limiter/429-comes-before-the-handler'],
    ['removals-are-503', 'limiter/over-the-rate-is-429'],
  ])('is a fault, where other keys show it at the same moments: %s', async (id, rule) => {
    const run = await tryDefect(named(defects, `limiter/${id}`), { rules, slow: false });
    expect(sayings(run, 'failures')).toContain(rule);
    expect(run.changed).toEqual([]);
  });
});

it('measures what is admitted until something is throttled, where throttled requests take tokens, too', async () => {
  const run = await tryVariant(named(legalVariants, 'rejected-requests-consume'), { rules, slow: false });
  expect([sayings(run, 'failures'), sayings(run, 'unclear')]).toEqual([[], []]);
  expect(evidenceIn(run.history).get('limiter/steady-rate')?.kept).toBeGreaterThan(0);
});

it('measures a key of the other tenant again by reads, as its uploads are no measure', async () => {
  const own = bucket({ perSecond: 10, burst: 5 });
  const around = instead(({ key, id, mock }) => {
    const isOther = key?.tenant === 'globex' && key.name === 'full';
    const wait = isOther && (id === 'startSiteFileUpload' ? 1_000 : own.take(mock.clock.now()));
    return wait ? tooManyRequests(wait) : undefined;
  });
  const chosen = new Set([...rules, 'upload/foreign-site-is-404'] as const);
  const { history } = await tryDefect({ around } as never, { rules: chosen, slow: false });
  // Its volley is a run of its own.
  const exchanges = history.exchanges.map((one) =>
    one.paced && one.key === 'globex/full' ? { ...one, sentAt: one.sentAt + 6e4, doneAt: one.doneAt + 6e4 } : one,
  );
  const sent: string[] = [];
  const bench = {
    ...{ deployment: deploymentOf(history.known.target), sleep: () => {} },
    state: { requests: new WeakMap(), throttled: new Map() },
    once: async () => new Set(['getHealth']),
    exclusive: (work: (b: unknown) => unknown) => work(bench),
    scene: {
      now: () => 0,
      sleep: () => {},
      send: async (ask: { operation: string }) => ({ headers: {}, status: sent.push(ask.operation) }),
    },
  };
  const [script] = [...limiterAgain({ ...history, exchanges })];
  await script?.run(bench as never);
  expect(new Set(sent)).toEqual(new Set(['getHealth']));
});

it('rests until all that was throttled since the last rest is made good', async () => {
  const slept: number[] = [];
  const throttled = new Map([['acme/limits', 150]]);
  const bench = { state: { throttled }, sleep: async (milliseconds: number) => void slept.push(milliseconds) };
  const key = { tenant: 'acme', name: 'limits', rateLimit: { perSecond: 10, burst: 20 } };
  for (const least of [0, 0, 5_000]) await rest(bench as never, key as never, least);
  expect(slept).toEqual([18_000, 3_000, 5_000]);
});

it.each(['jittery', 'late'])('says nothing wrong of honest limiters on a %s network', async (id) => {
  const network = named(networkProfiles, id);
  for (const variant of ['gcra-30', 'refill-every-1000-ms', 'rejected-requests-consume'])
    expect(sayings(await tryVariant(named(legalVariants, variant), { rules, network }), 'failures')).toEqual([]);
});
