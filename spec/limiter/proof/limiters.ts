import { type Random, seededRandom } from '../../random.ts';
import { describeJudgement } from '../describe-judgement.ts';
import { judge } from '../judge.ts';
import { measurement, sendTimes, volleySize } from '../measurement.ts';
import { type Gateway, type Network, observed } from './simulate.ts';

/** Decides requests in the order of their instants (ms): true admits. */
type Limiter = (at: number) => boolean;

/** `truth`: the rate per second and burst of a limiter that is a token bucket, to hold measured intervals against. */
export type LimiterModel = {
  readonly make: (random: Random) => Limiter;
  readonly truth?: { rate: number; burst: number };
};

/**
 * Continuous refill, from a full start where none is given. `clock` maps the true instant to the one this limiter sees.
 * @param takesAlways whether what it throttles takes tokens too
 */
function tokenBucket(
  rate: number,
  burst: number,
  clock: (at: number) => number = (at) => at,
  start = burst,
  takesAlways = false,
): Limiter {
  let tokens = start;
  let last: number | undefined;
  return (at) => {
    const now = clock(at);
    tokens = Math.min(burst, tokens + ((now - (last ?? now)) * rate) / 1000);
    last = now;
    const admits = tokens >= 1;
    if (admits || takesAlways) tokens = Math.max(0, tokens - 1);
    return admits;
  };
}

/** Remembers each admitted request for a second, and admits while it remembers fewer than `count`. */
function slidingLog(count: number): Limiter {
  let log: number[] = [];
  return (at) => {
    log = log.filter((earlier) => earlier > at - 1000);
    const admits = log.length < count;
    if (admits) log.push(at);
    return admits;
  };
}

/** So many gateways behind a balancer that picks one at random, each with a bucket of its own. */
function replicas(count: number, rate: number, burst: number, random: Random): Limiter {
  const buckets = Array.from({ length: count }, () => tokenBucket(rate, burst));
  return (at) => buckets[Math.floor(random() * count)]?.(at) ?? false;
}

/** One bucket for two keys; the other key asks `otherRate` times a second at random, from before the run on. */
function sharedBucket(rate: number, burst: number, otherRate: number, random: Random): Limiter {
  const bucket = tokenBucket(rate, burst);
  const pause = () => (-1000 / otherRate) * Math.log(1 - random());
  let next = -5000;
  return (at) => {
    for (; next <= at; next += pause()) bucket(next);
    return bucket(at);
  };
}

/** A continuous bucket: `rate` tokens a second, at most `burst`, full at first or with so many at `start`. */
export const bucketModel = (rate: number, burst: number, start = burst): LimiterModel => ({
  make: () => tokenBucket(rate, burst, undefined, start),
  truth: { rate, burst },
});

/** A clock that only steps, each `length` ms, of a phase that nobody knows. */
function stepping(length: number, random: Random) {
  const phase = random() * length;
  return (at: number) => Math.floor((at + phase) / length) * length;
}

/** `count` per `length` ms, in windows of the clock or from the first request after the last one: a bucket that is filled at once. */
export const fixedWindowModel = (count: number, length: number, from: 'clock' | 'first'): LimiterModel => ({
  make(random) {
    let start = Number.NEGATIVE_INFINITY;
    const sinceFirst = (at: number) => {
      if (at - start >= length) start = at;
      return start;
    };
    return tokenBucket((count * 1000) / length, count, from === 'clock' ? stepping(length, random) : sinceFirst);
  },
});

/** All tokens of so many ms at once. The contract does not say how the requests of a second are shared out in it. */
export const tickedModel = (tick: number): LimiterModel => ({
  make: (random) => tokenBucket(10, 20, stepping(tick, random)),
  truth: { rate: 10, burst: 20 },
});

const driftingModel = (drift: number): LimiterModel => ({
  make: () => tokenBucket(10, 20, (at) => at * (1 + drift)),
  truth: { rate: 10 * (1 + drift), burst: 20 },
});

/** Limiters that keep 10 per second with a burst of 20 in one of its honest readings. */
export const correctLimiters: Readonly<Record<string, LimiterModel>> = {
  'bucket of 20': bucketModel(10, 20),
  // GCRA with a tolerance of 20 intervals.
  'bucket of 21': bucketModel(10, 21),
  'bucket of 30': bucketModel(10, 30),
  'bucket of 31': bucketModel(10, 31),
  'one token each 100 ms': tickedModel(100),
  'clock 0.05% fast': driftingModel(0.0005),
  'clock 0.05% slow': driftingModel(-0.0005),
  'clock in whole ms': { make: () => tokenBucket(10, 20, Math.floor), truth: { rate: 10, burst: 20 } },
};

/** Lets throttled requests take tokens too: the contract does not say that they may not. */
export const takingWhenThrottled: LimiterModel = { make: () => tokenBucket(10, 20, undefined, 20, true) };

/** Limiters that break it, and what a whole measurement says of each. */
export const wrongLimiters = {
  '11 rps': { ...bucketModel(11, 20), says: /^admits 11\.\d rps: too lax by 10%$/ },
  '12 rps': { ...bucketModel(12, 20), says: /^admits 12\.\d rps: too lax by (19|20|21)%$/ },
  '15 rps': { ...bucketModel(15, 20), says: /^admits (at least )?1[45]\.\d rps: too lax by (at least )?[45]\d%$/ },
  '9 rps': { ...bucketModel(9, 20), says: /^admits 9\.0 rps: too strict by 10%$/ },
  '9 rps with burst 31': { ...bucketModel(9, 31), says: /^admits 9\.\d rps: too strict by (9|10)%$/ },
  '8 rps': { ...bucketModel(8, 20), says: /^admits 8\.0 rps: too strict by 20%$/ },
  'burst 40': { ...bucketModel(10, 40), says: /^burst 40 instead of at most 31: too lax by 29%$/ },
  'burst 19': { ...bucketModel(10, 19), says: /^burst 19 instead of 20: too strict by 5%/ },
  'burst 15': { ...bucketModel(10, 15), says: /^burst 15 instead of 20: too strict by 25%/ },
  'burst 10': { ...bucketModel(10, 10), says: /^burst 10 instead of 20: too strict by 50%/ },
  'fixed windows of 10': {
    ...fixedWindowModel(10, 1000, 'clock'),
    says: /^too strict: a 429 at/,
  },
  'fixed windows of 30': { ...fixedWindowModel(30, 1000, 'clock'), says: /too lax by/ },
  'fixed windows of 10 from the first request': {
    ...fixedWindowModel(10, 1000, 'first'),
    says: /^too strict: a 429 at/,
  },
  'two buckets behind one key': { make: (random) => replicas(2, 10, 20, random), says: /too lax by/ },
  'no limiter': { make: () => () => true, says: /^throttles nothing: \d+ admitted within/ },
  'sliding log of 20': { make: () => slidingLog(20), says: /too lax by/ },
  'bucket shared by two keys': { make: (random) => sharedBucket(10, 20, 15, random), says: /too strict/ },
} satisfies Record<string, LimiterModel & { readonly says: RegExp }>;

/** A gateway by the name of what it does, and what has to be said of it. */
export type Row = { readonly does: string; readonly make: (random: Random) => Gateway; readonly says: RegExp };

/** What the measurement asks for in turn. */
const operations = ['listLabels', 'getHealth', 'getConversation', 'startSiteFileUpload'];

/** A gateway with this limiter. @param refusal the status of what it throttles */
const having =
  ({ make }: LimiterModel, refusal = 429): Row['make'] =>
  (random) => {
    const admits = make(random);
    return (at) => ({ status: admits(at) ? 200 : refusal });
  };

/** A queue that lets one request go every 1 / rate seconds, and never refuses; `burst` go at once. */
function delaying(perSecond: number, burst: number): Gateway {
  let next = 0;
  return (at) => {
    next = Math.max(next, at - (burst * 1000) / perSecond) + 1000 / perSecond;
    return { status: 200, until: Math.max(at, next) };
  };
}

/** A bucket of its own for each name. */
const bucketFor = (nameOf: (operation: string) => string | undefined) => (): Gateway => {
  const buckets = new Map<string, Limiter>();
  return (at, operation) => {
    const name = nameOf(operation);
    if (name === undefined) return { status: 200 };
    const named = buckets.get(name) ?? tokenBucket(10, 20);
    buckets.set(name, named);
    return { status: named(at) ? 200 : 429 };
  };
};

const lax = /^too lax by \d+%: \d+ admitted within/;
const strict = /^too strict: a 429/;

/** What has to be said of further limiters that are not simply right. */
const judged: Readonly<Record<string, readonly [make: Row['make'], says: RegExp]>> = {
  '1 rps': [having(bucketModel(1, 20)), /^admits 1\.0 rps: too strict by 90%$/],
  'burst 1': [having(bucketModel(10, 1)), /^burst 1 instead of 20: too strict by 95%/],
  '8 rps and burst 15': [
    having(bucketModel(8, 15)),
    /^admits 8\.0 rps: too strict by 20%; burst 15 instead of 20: too strict by 25%/,
  ],
  'starts empty': [having(bucketModel(10, 20, 0)), /^starts empty: the first requests of a rested key are throttled/],
  '20 in each two seconds of the clock': [having(fixedWindowModel(20, 2000, 'clock')), lax],
  '28 in each 2.8 seconds of the clock': [
    having(fixedWindowModel(28, 2800, 'clock')),
    /^too (lax by \d+%: \d+ admitted|strict: a 429)/,
  ],
  '10 in any second (log)': [having({ make: () => slidingLog(10) }), strict],
  'five tokens at once, twice a second': [having(tickedModel(500)), /, tokens every 500 ms: keeps the contract$/],
  'ten tokens at once, each second': [having(tickedModel(1000)), /, tokens every 1000 ms: keeps the contract$/],
  'throttled requests take tokens too': [
    having(takingWhenThrottled),
    /^cannot tell: the limiter lets throttled requests take tokens too/,
  ],
  'four replicas that share nothing': [having({ make: (random) => replicas(4, 10, 20, random) }), /too lax by/],
  closed: [() => () => ({ status: 429 }), /^admits nothing: too strict/],
  '503 for 429': [having(bucketModel(10, 20), 503), /answers 503 where 429 is due \(\d+ times\)/],
  'delays beyond a burst': [() => delaying(10, 20), /^cannot tell: nothing wrong was seen/],
  'a bucket for each path': [bucketFor((operation) => operation), /has a limit for each operation, not for the key/],
  'reads alone': [
    bucketFor((operation) => (operation === 'startSiteFileUpload' ? undefined : 'all')),
    /does not limit startSiteFileUpload, but other operations/,
  ],
  'one path alone': [
    bucketFor((operation) => (operation === 'listLabels' ? 'all' : undefined)),
    /does not limit getConversation, getHealth, startSiteFileUpload, but other operations/,
  ],
};

/** Limiters that users may have, with the sentence for each: right ones, wrong ones, and those that cannot be told. */
export const rows: readonly Row[] = [
  ...Object.entries(correctLimiters).map(([does, model]) => ({
    does,
    make: having(model),
    says: /: keeps the contract$/,
  })),
  ...Object.entries(wrongLimiters).map(([does, model]) => ({ does, make: having(model), says: model.says })),
  ...Object.entries(judged).map(([does, [make, says]]) => ({ does, make, says })),
];

const declared = { perSecond: 10, burst: 20 };
const { times } = sendTimes(measurement(declared));

/** What is said of a gateway after a whole measurement through a network. */
export function sentenceOf({ make }: Row, network: Network, seed: number): string {
  const random = seededRandom(seed);
  const gateway = make(random);
  const requests = times.map((seconds, index) => {
    // The first volley is of one operation, as k6 sends it.
    const operation = operations[index < volleySize(declared) ? 0 : index % operations.length] ?? '';
    return { sentAt: seconds * 1000, operation };
  });
  return describeJudgement(judge(declared, observed(requests, network, gateway, random)));
}
