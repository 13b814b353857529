import { type Random, seededRandom } from '../../random.ts';
import { describeJudgement } from '../describe-judgement.ts';
import { judge } from '../judge.ts';
import { measurement, sendTimes, volleySize } from '../measurement.ts';
import {
  bucketModel,
  correctLimiters,
  fixedWindowModel,
  type Limiter,
  replicas,
  slidingLog,
  takingWhenThrottled,
  tickedModel,
  wrongLimiters,
} from './models.ts';
import { type Gateway, type Network, observed } from './simulate.ts';

/** A gateway by the name of what it does, and what has to be said of it. */
export type Row = { readonly does: string; readonly make: (random: Random) => Gateway; readonly says: RegExp };

/** What the measurement asks for in turn. */
const operations = ['listLabels', 'getHealth', 'getConversation', 'startSiteFileUpload'];

const answering =
  (decides: Limiter, refusal = 429): Gateway =>
  (at) => ({ status: decides(at) ? 200 : refusal });
const limiter = (perSecond: number, burst: number): Limiter => bucketModel(perSecond, burst).make(() => 0);
const bucket = (perSecond: number, burst: number) => () => answering(limiter(perSecond, burst));
const ticked = (tick: number) => (random: Random) => answering(tickedModel(tick).make(random));
const windows = (count: number, length: number, from: 'clock' | 'first') => (random: Random) =>
  answering(fixedWindowModel(count, length, from).make(random));

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
    const named = buckets.get(name) ?? limiter(10, 20);
    buckets.set(name, named);
    return { status: named(at) ? 200 : 429 };
  };
};

const lax = /^too lax by \d+%: \d+ admitted within/;
const strict = /^too strict: the 429/;

/** What has to be said of further limiters that are not simply right. */
const judged: Readonly<Record<string, readonly [make: Row['make'], says: RegExp]>> = {
  'bucket of 25': [bucket(10, 25), /^admits 10\.0 rps, burst 25: keeps/],
  '5 rps': [bucket(5, 20), /^admits 5\.0 rps: too strict by 50%$/],
  '1 rps': [bucket(1, 20), /^admits 1\.0 rps: too strict by 90%$/],
  'burst 100': [bucket(10, 100), /too lax by/],
  'burst 1': [bucket(10, 1), /^burst 1: too strict by 95%/],
  '8 rps and burst 15': [bucket(8, 15), /^admits 8\.0 rps: too strict by 20%; burst 15: too strict by 25%/],
  'starts empty': [
    () => answering(bucketModel(10, 20, 0).make(() => 0)),
    /^too strict: starts empty: the first requests of a rested key are throttled/,
  ],
  '20 in each two seconds of the clock': [windows(20, 2000, 'clock'), lax],
  '20 in each two seconds from the first request': [windows(20, 2000, 'first'), lax],
  '30 in each three seconds of the clock': [
    windows(30, 3000, 'clock'),
    /^too (lax by \d+%: \d+ admitted|strict: the 429)/,
  ],
  '30 in each three seconds from the first request': [windows(30, 3000, 'first'), lax],
  '10 in any second (log)': [() => answering(slidingLog(10)), strict],
  '20 in any two seconds (log)': [() => answering(slidingLog(20, 2000)), strict],
  'five tokens at once, twice a second': [ticked(500), /, tokens every 500 ms: keeps the contract$/],
  'ten tokens at once, each second': [ticked(1000), /, tokens every 1000 ms: keeps the contract$/],
  'twenty tokens at once, every two seconds': [ticked(2000), /too (lax|strict)/],
  'throttled requests take tokens too': [
    (random) => answering(takingWhenThrottled.make(random)),
    /^cannot tell: the limiter lets throttled requests take tokens too/,
  ],
  'four replicas that share nothing': [(random) => answering(replicas(4, 10, 20, random)), /too lax by/],
  closed: [() => () => ({ status: 429 }), /^admits nothing: too strict/],
  '503 for 429': [() => answering(limiter(10, 20), 503), /answers 503 where 429 is due \(\d+ times\)/],
  '403 for 429': [() => answering(limiter(10, 20), 403), /answers 403 where 429 is due \(\d+ times\)/],
  'delays beyond a burst': [() => delaying(10, 20), /^cannot tell: nothing is proven/],
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
  ...Object.entries(correctLimiters).map(([does, model]) => ({ does, ...model, says: /: keeps the contract$/ })),
  ...Object.entries(wrongLimiters).map(([does, model]) => ({ does, ...model })),
]
  .map(({ does, make, says }): Row => ({ does, make: (random) => answering(make(random)), says }))
  .concat(Object.entries(judged).map(([does, [make, says]]) => ({ does, make, says })));

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
