import type { Random } from '../../random.ts';
import {
  bucketModel,
  correctLimiters,
  fixedWindowModel,
  halfSecondTicks,
  type Limiter,
  takingWhenThrottled,
  wrongLimiters,
} from './simulation/limiters.ts';

/** What a gateway does with one request: the status, and when the reply is sent, where that is later than at once. */
type Decision = { readonly status: number; readonly until?: number };
type Gateway = (at: number, operation: string) => Decision;

/** A gateway by the name of what it does, and what has to be said of it. */
export type Row = { readonly does: string; readonly make: (random: Random) => Gateway; readonly says: RegExp };

/** What the measurement asks for in turn. */
export const operations = ['listLabels', 'getHealth', 'getConversation', 'startSiteFileUpload'];

const keeps = /: keeps the contract$/;
const answering =
  (limiter: Limiter, refusal = 429): Gateway =>
  (at) => ({ status: limiter(at) ? 200 : refusal });
const of = (perSecond: number, burst: number): Limiter => bucketModel(perSecond, burst).make(() => 0);
const bucket = (perSecond: number, burst: number) => () => answering(of(perSecond, burst));
const model = (name: keyof typeof wrongLimiters) => (random: Random) => answering(wrongLimiters[name].make(random));
const windows = (count: number, length: number, from: 'clock' | 'first') => (random: Random) =>
  answering(fixedWindowModel(count, length, from).make(random));

/** `count` remembered for `length` ms, the throttled ones too where `all`. */
function slidingLog(count: number, length: number, all = false): Limiter {
  let log: number[] = [];
  return (at) => {
    log = log.filter((earlier) => earlier > at - length);
    const admits = log.length < count;
    if (admits || all) log.push(at);
    return admits;
  };
}

/** A weighted count of this window of the clock and the last one, as some proxies have it. */
function slidingCounter(count: number, length: number): Limiter {
  let [current, now, before] = [0, 0, 0];
  return (at) => {
    const index = Math.floor(at / length);
    if (index !== current) [current, before, now] = [index, index === current + 1 ? now : 0, 0];
    if (before * (1 - (at % length) / length) + now >= count) return false;
    now += 1;
    return true;
  };
}

/** A queue that lets one request go every 1 / rate seconds, and never refuses; `burst` go at once. */
function delaying(perSecond: number, burst: number): Gateway {
  let next = 0;
  return (at) => {
    next = Math.max(next, at - (burst * 1000) / perSecond) + 1000 / perSecond;
    return { status: 200, until: Math.max(at, next) };
  };
}

/** A queue of so many, as nginx has it for a burst without `nodelay`: what finds it full is throttled. */
function delayingThenThrottling(perSecond: number, burst: number): Gateway {
  let next = 0;
  return (at) => {
    const until = Math.max(at, next);
    if (until - at > (burst * 1000) / perSecond) return { status: 429 };
    next = until + 1000 / perSecond;
    return { status: 200, until };
  };
}

/** A limiter of its own for each name. */
function each(nameOf: (operation: string) => string | undefined, make: () => Limiter): Gateway {
  const limiters = new Map<string, Limiter>();
  return (at, operation) => {
    const name = nameOf(operation);
    if (name === undefined) return { status: 200 };
    const limiter = limiters.get(name) ?? make();
    limiters.set(name, limiter);
    return { status: limiter(at) ? 200 : 429 };
  };
}

const isRead = (operation: string) => operation !== 'startSiteFileUpload';

/** So many at random behind one address, each with a limiter of its own. */
const replicas =
  (count: number, perSecond: number, burst: number) =>
  (random: Random): Gateway => {
    const limiters = Array.from({ length: count }, () => of(perSecond, burst));
    return (at) => ({ status: limiters[Math.floor(random() * count)]?.(at) ? 200 : 429 });
  };

/** Refuses for a second after each 429. */
function penalty(perSecond: number, burst: number, length: number): Limiter {
  const inner = of(perSecond, burst);
  let until = 0;
  return (at) => {
    if (at < until) return false;
    const admits = inner(at);
    if (!admits) until = at + length;
    return admits;
  };
}

/** Limiters of every kind that we met or could think of, with the sentence for each: right ones, wrong ones, and those that cannot be told. */
export const rows: readonly Row[] = [
  ...Object.entries(correctLimiters).map(([does, { make }]) => ({
    does,
    make: (random: Random) => answering(make(random)),
    says: keeps,
  })),
  { does: 'bucket of 25', make: bucket(10, 25), says: /^admits 10\.0 rps, burst 25: keeps/ },
  { does: '11 rps', make: model('11 rps'), says: /^admits 11\.\d rps: too lax by 10%$/ },
  { does: '12 rps', make: model('12 rps'), says: /^admits 12\.\d rps: too lax by (19|20|21)%$/ },
  { does: '15 rps', make: model('15 rps'), says: /^admits (at least )?1[45]\.\d rps: too lax by (at least )?[45]\d%$/ },
  { does: '20 rps', make: bucket(20, 20), says: /^admits .*too lax by/ },
  { does: '9 rps', make: model('9 rps'), says: /^admits 9\.0 rps: too strict by 10%$/ },
  {
    does: '9 rps with burst 31',
    make: model('9 rps with burst 31'),
    says: /^admits 9\.\d rps: too strict by (9|10)%$/,
  },
  { does: '8 rps', make: model('8 rps'), says: /^admits 8\.0 rps: too strict by 20%$/ },
  { does: '5 rps', make: bucket(5, 20), says: /^admits 5\.0 rps: too strict by 50%$/ },
  { does: '1 rps', make: bucket(1, 20), says: /^admits 1\.0 rps: too strict by 90%$/ },
  {
    does: 'burst 40',
    make: model('burst 40'),
    says: /^burst 40: too lax by 29% against the most generous reading \(31\)$/,
  },
  { does: 'burst 100', make: bucket(10, 100), says: /too lax by/ },
  { does: 'burst 19', make: model('burst 19'), says: /^burst 19: too strict by 5%/ },
  { does: 'burst 15', make: model('burst 15'), says: /^burst 15: too strict by 25%/ },
  { does: 'burst 10', make: model('burst 10'), says: /^burst 10: too strict by 50%/ },
  { does: 'burst 1', make: bucket(10, 1), says: /^burst 1: too strict by 95%/ },
  {
    does: '8 rps and burst 15',
    make: bucket(8, 15),
    says: /^admits 8\.0 rps: too strict by 20%; burst 15: too strict by 25%/,
  },
  {
    does: 'starts empty',
    make: () => answering(bucketModel(10, 20, 0).make(() => 0)),
    says: /^too strict: starts empty: the first requests of a rested key are throttled/,
  },
  {
    does: '10 in each second of the clock',
    make: model('fixed windows of 10'),
    says: /^too strict: looks like a fixed window of 1 s with 10 requests/,
  },
  {
    does: '10 in each second from the first request',
    make: model('fixed windows of 10 from the first request'),
    says: /^too strict: looks like a (fixed )?window of 1 s with 10 requests/,
  },
  {
    does: '20 in each two seconds of the clock',
    make: windows(20, 2000, 'clock'),
    says: /^too lax by \d+%: looks like a fixed window of 2 s with 20 requests/,
  },
  {
    does: '20 in each two seconds from the first request',
    make: windows(20, 2000, 'first'),
    says: /^too lax by \d+%: looks like a fixed window of 2 s with 20 requests/,
  },
  {
    does: '30 in each three seconds of the clock',
    make: windows(30, 3000, 'clock'),
    says: /^too (lax by \d+%|strict): looks like a (fixed )?window of 3 s with 30 requests/,
  },
  {
    does: '30 in each three seconds from the first request',
    make: windows(30, 3000, 'first'),
    says: /^too lax by \d+%: looks like a fixed window of 3 s with 30 requests/,
  },
  { does: '30 in each second of the clock', make: model('fixed windows of 30'), says: /too lax by/ },
  { does: '100 in each ten seconds', make: windows(100, 10_000, 'clock'), says: /too lax by/ },
  { does: '600 in each minute', make: windows(600, 60_000, 'first'), says: /throttles nothing|too lax by/ },
  {
    does: '10 in any second (log)',
    make: () => answering(slidingLog(10, 1000)),
    says: /^too strict: (looks like a window of 1 s with 10 requests; )?the 429/,
  },
  { does: '20 in any second (log)', make: model('sliding log of 20'), says: /too lax by/ },
  {
    does: '20 in any two seconds (log)',
    make: () => answering(slidingLog(20, 2000)),
    says: /^too strict: (looks like a window of 2 s with 20 requests; )?the 429/,
  },
  {
    does: '20 in any two seconds, throttled ones too (log)',
    make: () => answering(slidingLog(20, 2000, true)),
    says: /too strict|take tokens too/,
  },
  { does: '20 in two seconds, weighted', make: () => answering(slidingCounter(20, 2000)), says: /too (strict|lax)/ },
  {
    does: 'five tokens at once, twice a second',
    make: (random) => answering(halfSecondTicks.make(random)),
    says: /^too strict: looks like a bucket that gets 5 tokens at once every 0\.5 s/,
  },
  {
    does: 'throttled requests take tokens too',
    make: (random) => answering(takingWhenThrottled.make(random)),
    says: /^cannot tell: the limiter lets throttled requests take tokens too/,
  },
  { does: 'two replicas that share nothing', make: replicas(2, 10, 20), says: /too lax by/ },
  { does: 'four replicas that share nothing', make: replicas(4, 10, 20), says: /too lax by/ },
  {
    does: 'a second of penalty after each 429',
    make: () => answering(penalty(10, 20, 1000)),
    says: /too strict|take tokens too/,
  },
  {
    does: 'no limiter',
    make: () => () => ({ status: 200 }),
    says: /^too lax by \d+%: throttles nothing; \d+ admitted within/,
  },
  { does: 'closed', make: () => () => ({ status: 429 }), says: /^admits nothing: too strict/ },
  { does: '503 for 429', make: () => answering(of(10, 20), 503), says: /answers 503 where 429 is due \(\d+ times\)/ },
  { does: '403 for 429', make: () => answering(of(10, 20), 403), says: /answers 403 where 429 is due \(\d+ times\)/ },
  {
    does: 'delays, one after the other',
    make: () => delaying(10, 0),
    says: /throttles nothing, and holds requests back instead: up to \d+\.\d s, where the quickest took \d+ ms/,
  },
  {
    does: 'delays beyond a burst',
    make: () => delaying(10, 20),
    says: /throttles nothing, and holds requests back instead/,
  },
  {
    does: 'delays for up to two seconds, then throttles',
    make: () => delayingThenThrottling(10, 20),
    says: /^cannot tell: the limiter holds requests back before it throttles: up to \d\.\d s, where the quickest took \d+ ms/,
  },
  {
    does: 'a bucket for each path',
    make: () =>
      each(
        (operation) => operation,
        () => of(10, 20),
      ),
    says: /has a limit for each operation, not for the key/,
  },
  {
    does: 'a bucket for each method',
    make: () =>
      each(
        (operation) => String(isRead(operation)),
        () => of(10, 20),
      ),
    says: /too lax by|for each operation/,
  },
  {
    does: 'reads alone',
    make: () =>
      each(
        (operation) => (isRead(operation) ? 'all' : undefined),
        () => of(10, 20),
      ),
    says: /does not limit startSiteFileUpload, but other operations/,
  },
  {
    does: 'one path alone',
    make: () =>
      each(
        (operation) => (operation === 'listLabels' ? 'all' : undefined),
        () => of(10, 20),
      ),
    says: /does not limit getConversation, getHealth, startSiteFileUpload, but other operations/,
  },
];
