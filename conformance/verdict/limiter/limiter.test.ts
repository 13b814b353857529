import { describe, expect, it, test } from 'vitest';
import { loadTarget } from '../../../spec/files/target.ts';
import type { RuleId } from '../../../spec/rules.ts';
import type { Exchange } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { evidenceIn } from '../evidence.ts';
import { judgeBy, lawOf } from '../judge.ts';
import { trafficOf } from '../traffic.ts';
import { doubtsOf } from './buckets.ts';

const target = loadTarget(new URL('../../../fixtures/mock.target.yaml', import.meta.url).pathname);

const exchange = (seconds: number, status: number | null, how: Partial<Exchange> = {}): Exchange => ({
  n: 0,
  script: 'limiter/volley',
  operation: 'listLabels',
  key: 'acme/limits',
  credential: 'key',
  params: {},
  method: 'GET',
  url: '/v1/labels',
  requestHeaders: {},
  requestBody: null,
  requestBytes: 0,
  sentAt: seconds * 1000,
  doneAt: seconds * 1000 + 50,
  status,
  headers: status === 429 ? { 'retry-after': '1' } : {},
  body: status === 429 ? '{"message":"slow down"}' : '[]',
  failure: status === null ? 'connection reset' : null,
  paced: false,
  facts: { operation: 'listLabels', caller: 'valid', owner: null, label: null, mutation: null },
  ...how,
});

/** So many requests at once are admitted, and so many answered with the status. */
const volley = (
  seconds: number,
  admitted: number,
  refused: number,
  how: Partial<Exchange> = {},
  status: number | null = 429,
) =>
  Array.from({ length: admitted + refused }, (_, i) =>
    exchange(seconds + i / 10_000, i < admitted ? 200 : status, how),
  );

const history = (...parts: readonly (readonly Exchange[])[]): History => ({
  known: { kit: '0', startedAt: new Date(0).toISOString(), target, allowLeftovers: false },
  exchanges: parts
    .flat()
    .toSorted((a, b) => a.sentAt - b.sentAt)
    .map((one, i) => ({ ...one, n: i + 1 })),
  hooks: [],
  skipped: [],
  exercised: [],
  left: [],
  interrupted: false,
  finishedAt: new Date(100_000).toISOString(),
});

const said = (rule: RuleId, ...parts: readonly (readonly Exchange[])[]) => {
  const { failures, unclear } = evidenceIn(history(...parts)).get(rule) ?? { failures: [], unclear: [] };
  return failures.length > 0 ? 'broken' : unclear.length > 0 ? 'unclear' : 'kept';
};

const again = { script: 'limiter/again/1' };
const other = { key: 'globex/reader' };

test('too much is broken at first sight: 40 at once without a 429', () => {
  expect(said('limiter/over-the-rate-is-429', volley(10, 40, 0))).toBe('broken');
  expect(said('limiter/burst', volley(10, 40, 4))).toBe('broken');
  expect(said('limiter/burst', volley(10, 31, 5))).not.toBe('broken');
});

test('what a cache on the way answers is not counted for the limiter', () => {
  const cached = [exchange(10, 200), ...volley(10.1, 39, 0, { headers: { age: '9' } })];
  expect(said('limiter/over-the-rate-is-429', cached)).toBe('kept');
  expect(said('limiter/burst', cached)).toBe('unclear');
});

test('a bucket that is full again once, as after a restart, is broken only if it comes again', () => {
  const restarted = (at: number) => [...volley(at, 31, 5), ...volley(at + 2, 31, 5)];
  expect(said('limiter/steady-rate', restarted(10))).toBe('unclear');
  expect(said('limiter/steady-rate', restarted(10), restarted(60))).toBe('broken');
});

describe('what comes in place of a 429 is broken', () => {
  const rule = 'limiter/over-the-rate-is-429';
  const below = (at: number) =>
    Array.from({ length: 20 }, (_, i) => exchange(at + i / 50, 200, { ...other, paced: true }));
  const beside = [10, 20, 30].flatMap(below);

  it('where the operation is served within the limit', () =>
    expect(said(rule, beside, ...[10, 20, 30].map((at) => volley(at, 20, 20, {}, 403)))).toBe('broken'));

  it('not while no other key asks at the same moments, as during a failure of all', () => {
    const odd = [10, 40, 70].flatMap((at) => [volley(at, 20, 0), volley(at + 1, 0, 20, {}, 502)]);
    const asked = (late: number) => [10, 40, 70].flatMap((at) => below(at + late));
    expect(said(rule, asked(0), ...odd)).not.toBe('broken');
    expect(said(rule, asked(1), ...odd)).toBe('broken');
  });

  it('not where other keys get the same at the same moments', () => {
    const blocked = [10, 20, 30].map((at) => exchange(at + 0.2, 403, { ...other, paced: true }));
    expect(said(rule, beside, blocked, ...[10, 20, 30].map((at) => volley(at, 20, 20, {}, 403)))).toBe('kept');
  });

  it('not where other keys get the same at the same moments, and paced ones, too', () => {
    const busy = [10, 20, 30].map((at) => exchange(at + 0.2, 503, { ...other, paced: true }));
    const post = { operation: 'startSiteFileUpload', method: 'POST' } as const;
    expect(said(rule, beside, busy, ...[10, 20, 30].map((at) => volley(at, 20, 20, post, 503)))).toBe('kept');
  });

  it('of writes, only where other keys write at the same moments, as writes at once may hinder each other', () => {
    const facts = { operation: 'applySiteLabel', caller: 'valid', owner: 'ours', label: 'spare', mutation: null };
    const put = { operation: 'applySiteLabel', method: 'PUT', facts } as unknown as Partial<Exchange>;
    const busy = [10, 30, 50].map((at) => volley(at, 20, 20, put, 503));
    const write = (status: number) => [10, 30, 50].flatMap((at) => volley(at, 5, 1, { ...put, ...other }, status));
    const reads = [10, 30, 50].flatMap(below);
    expect(said(rule, reads, ...busy)).toBe('unclear');
    expect(said(rule, reads, write(200), ...busy)).toBe('broken');
    expect(said(rule, reads, write(503), ...busy)).toBe('kept');
  });

  it('not where the operation is served to nobody', () => {
    const facts = {
      operation: 'applySiteLabel',
      caller: 'valid',
      owner: 'ours',
      label: 'idle',
      mutation: null,
    } as const;
    const unserved = { operation: 'applySiteLabel', method: 'PUT', facts } as unknown as Partial<Exchange>;
    expect(said(rule, beside, ...[10, 20, 30].map((at) => volley(at, 0, 20, unserved, 405)))).toBe('kept');
  });
});

describe('too little is broken', () => {
  const rule = 'limiter/burst';
  const first = volley(10, 15, 5);

  it('if it comes again, and with another key at the same moment', () =>
    expect(said(rule, first, volley(60, 15, 5, again), volley(60, 15, 5, { ...again, ...other }))).toBe('broken'));

  it('not by a token or two, which a proxy takes that sends requests again', () => {
    const short = (at: number, how: Partial<Exchange> = {}) => volley(at, 19, 5, how);
    const seen = [short(10), short(60, again), short(60, { ...again, ...other })];
    expect(said(rule, ...seen)).toBe('unclear');
    expect(evidenceIn(history(...seen)).get(rule)?.unclear[0]).toMatch(/a proxy may send some requests again$/);
  });

  it('also where each key is used once more right after, by a script that uses others as well', () => {
    const last = ['acme/limits', 'globex/reader', 'acme/none'].map((key) =>
      exchange(61, 200, { script: 'labels/last-look', key }),
    );
    const both = [volley(60, 15, 5, again), volley(60, 15, 5, { ...again, ...other })];
    expect(said(rule, first, ...both, last)).toBe('broken');
  });

  it('not if another client of this key may have done it', () =>
    expect(said(rule, first, volley(60, 15, 5, again), volley(60, 20, 0, { ...again, ...other }))).toBe('unclear'));

  it('not while nothing is served, which is a firewall', () => {
    const none = (seconds: number, how: Partial<Exchange> = {}) => volley(seconds, 0, 5, how);
    const all = [none(10), none(60, again), none(60, { ...again, ...other })];
    expect(said(rule, volley(1, 1, 0), ...all)).not.toBe('broken');
    const served = [10, 60].map((seconds) => volley(seconds, 5, 0, { key: 'acme/links', paced: true }));
    expect(said(rule, ...all, ...served)).toBe('broken');
  });

  it('not where a cache behind the limiter answers, whose replies may have taken tokens', () => {
    const served = [10, 60].map((seconds) => volley(seconds, 5, 0, { key: 'acme/links', paced: true }));
    const round = (at: number, how: Partial<Exchange>) => [
      ...volley(at, 20, 0, { ...how, headers: { age: '1' } }),
      ...volley(at + 0.1, 0, 5, how),
    ];
    const rounds = [round(10, {}), round(60, again), round(60, { ...again, ...other })];
    expect(said(rule, ...served, ...rounds)).not.toBe('broken');
  });

  it('not if it does not come again', () =>
    expect(said(rule, first, volley(60, 20, 0, again), volley(60, 20, 0, { ...again, ...other }))).toBe('unclear'));

  it('not by requests after the first that is throttled, which may take tokens', () => {
    const after = [11, 11.5, 12].map((seconds) => exchange(seconds, 429));
    const both = [volley(10, 20, 10), after, volley(60, 20, 10, again), volley(60, 20, 10, { ...again, ...other })];
    expect(said(rule, ...both)).not.toBe('broken');
  });

  it('and until then, the key is measured again', () => {
    expect(doubtsOf(trafficOf(history(first))).map(({ key }) => key)).toEqual(['acme/limits']);
    // Other keys are other people's.
    expect(doubtsOf(trafficOf(history(volley(10, 5, 5, { ...other, paced: true }))))).toEqual([]);
  });
});

describe('a key that lacks tokens beside others', () => {
  const rule = 'limiter/own-bucket-per-key';
  const round = (n: number, arm: 'script' | 'control', lacks: boolean) =>
    volley(20 * n + (arm === 'script' ? 10 : 0), lacks ? 1 : 6, lacks ? 5 : 0, {
      ...other,
      script: 'limiter/keys',
      trial: { id: 1, arm, round: n, rule, sign: 'key globex/reader lacks tokens' },
    });
  const rounds = Array.from({ length: 8 }, (_, i) => i + 1);
  const beside = rounds.flatMap((n) => round(n, 'script', true));

  it('shares its bucket, if it never lacks them alone', () =>
    expect(
      said(
        rule,
        beside,
        rounds.flatMap((n) => round(n, 'control', false)),
      ),
    ).toBe('broken'));

  it('may be used by another client, if it lacks them alone as well', () =>
    expect(
      said(
        rule,
        beside,
        rounds.flatMap((n) => round(n, 'control', n === 3)),
      ),
    ).not.toBe('broken'));

  it('is said to have lacked them, if nothing was tried', () =>
    expect(
      said(
        rule,
        volley(10, 20, 16, { script: 'limiter/keys' }),
        volley(10, 1, 5, { ...other, script: 'limiter/keys' }),
      ),
    ).toBe('unclear'));
});

describe('another reply in place of 429', () => {
  const rule = 'limiter/over-the-rate-is-429';
  const served = (seconds: number) =>
    ['none', 'links', 'full'].flatMap((name) => volley(seconds, 6, 0, { key: `acme/${name}` }));
  const refused = (seconds: number, status: number | null) => volley(seconds, 20, 16, {}, status);

  it.each([503, 403, null])('is broken: %s, while other keys are served, and again later', (status) =>
    expect(said(rule, refused(10, status), served(10), refused(30, status), served(30))).toBe('broken'),
  );

  it('at one time only, it must be asked for again', () =>
    expect(said(rule, refused(10, 503), served(10))).toBe('unclear'));

  it('is an outage where those before and after are not served either, however many fall into it', () => {
    const out = [10, 30].flatMap((seconds) => [
      ...volley(seconds, 20, 20, {}, 401),
      exchange(seconds - 0.1, 401, { key: 'acme/links', paced: true }),
      exchange(seconds + 0.1, 401, { key: 'acme/links', paced: true }),
    ]);
    expect(said(rule, out, served(12), served(32))).not.toBe('broken');
  });

  it('is an outage while other keys get it, too', () => {
    const out = ['none', 'links', 'full'].flatMap((name) => volley(10, 0, 6, { key: `acme/${name}` }, null));
    expect(said(rule, refused(10, null), out, volley(30, 20, 16), served(30))).toBe('kept');
  });
});

test.each<[RuleId, Partial<Exchange>]>([
  ['limiter/429-has-retry-after', { headers: {} }],
  ['limiter/429-has-retry-after', { headers: { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' } }],
  ['limiter/429-body-is-one-message', { body: '{"message":"no","more":1}' }],
  ['limiter/429-body-is-one-message', { body: '<html>slow down</html>' }],
  ['limiter/waiting-retry-after-suffices', { headers: { 'retry-after': '0.5' } }],
])('%s is broken by 429s with %j, at two times, and between requests that are served', (rule, how) => {
  const odd = (seconds: number) => [
    exchange(seconds, 200),
    exchange(seconds + 0.1, 429, how),
    exchange(seconds + 1, 200),
  ];
  expect(said(rule, odd(10), odd(30))).toBe('broken');
  expect(said(rule, odd(10))).toBe('unclear');
  // A firewall that refuses everything for a minute.
  expect(
    said(
      rule,
      [exchange(10, 200)],
      [10.1, 30, 60].map((seconds) => exchange(seconds, 429, how)),
    ),
  ).toBe('kept');
});

describe('the wait that a 429 asks for', () => {
  const rule = 'limiter/waiting-retry-after-suffices';
  const wait = (seconds: number, isEnough: boolean, how: Partial<Exchange> = {}) => [
    ...volley(seconds, 20, 1, how),
    exchange(seconds + 0.2, 429, how),
    exchange(seconds + 1.7, isEnough ? 200 : 429, how),
  ];

  it('is too short, if that comes again, and with another key', () => {
    expect(said(rule, wait(10, true))).toBe('kept');
    expect(said(rule, wait(10, false))).toBe('unclear');
    expect(said(rule, wait(10, false), wait(60, false, again), wait(60, true, { ...again, ...other }))).toBe('unclear');
    expect(said(rule, wait(10, false), wait(60, false, again), wait(60, false, { ...again, ...other }))).toBe('broken');
  });

  it('is too long, if requests are admitted after a tenth of it', () => {
    const long = { headers: { 'retry-after': '92' } };
    const early = [10, 20, 30].flatMap((seconds) => [exchange(seconds, 429, long), exchange(seconds + 1, 200)]);
    expect(said(rule, early)).toBe('broken');
  });
});

test('how the burst is read, and which wait is asked for, are answers with a part of the profile', () => {
  const seen = history(volley(10, 30, 6), volley(30, 30, 6, { headers: { 'retry-after': '3' } }));
  const of = (id: RuleId) => judgeBy(lawOf(id), seen);
  expect(of('limiter/burst-reading')?.outcome).toBe('observed');
  expect(of('limiter/burst-reading')?.finding.profile).toEqual([{ limits: { reading: 'bucket-30' } }]);
  expect(of('limiter/429-has-retry-after')?.message).toBe('Retry-After: 1, 3');
});
