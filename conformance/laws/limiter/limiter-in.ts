import { admissionOf } from '../../../spec/limiter/admission.ts';
import { envelope } from '../../../spec/limiter/envelope.ts';
import { type Judgement, judge } from '../../../spec/limiter/judge.ts';
import { type Limit, restSeconds } from '../../../spec/limiter/limit.ts';
import { missingTokens, volleyMilliseconds, volleyOf } from '../../../spec/limiter/missing-tokens.ts';
import type { Observation } from '../../../spec/limiter/observation.ts';
import { readRetryAfter } from '../../../spec/limiter/reply/retry-after.ts';
import type { Exchange } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { tenantsOf } from '../../target/records.ts';
import { deploymentIn } from '../judging/asked.ts';
import { once } from '../judging/law.ts';

/** The requests with one key, and what they prove about its bucket. */
export interface KeyUse {
  /** `tenant/key`. */
  readonly key: string;
  readonly limit: Limit;
  /** Whether this key is reserved for the measurement. */
  readonly measured: boolean;
  readonly exchanges: readonly Exchange[];
  readonly samples: readonly Observation[];
  readonly judgement: Judgement;
  /** The rules that the limiter breaks: at least one if the limiter is proven wrong. */
  readonly blame: Blame;
  /** Why another client that uses the key may be the cause; null where that is impossible. */
  readonly interference: string | null;
  /** The requests that show that the key is shut for longer than Retry-After. */
  readonly shut: readonly Exchange[];
  /** Whether throttled requests take tokens as well, which makes a correct limiter look too strict. */
  readonly rejectedConsume: Consuming;
}

/** `perhaps`: the network is too unsteady to tell. */
type Consuming = 'surely' | 'perhaps' | 'no';

export interface Blame {
  readonly rate: boolean;
  readonly burst: boolean;
  readonly clustering: boolean;
}

const innocent: Blame = { rate: false, burst: false, clustering: false };

/** For `judge`: the requests need not be able to show every fault. */
const proofs = { mustShow: {} };

export const sampleOf = ({ sentAt, doneAt, status }: Exchange): Observation => ({
  sentAt,
  doneAt,
  status: status ?? 0,
});

const isThrottled = ({ status }: { readonly status: number | null }) => admissionOf(status ?? 0) === 'throttled';

/** The used keys of the target file. */
export const keysIn = once((history: History): readonly KeyUse[] => {
  const deployment = deploymentIn(history);
  const { tenant } = deployment;
  const startedAt = Date.parse(history.known.startedAt);
  // A key in another place than x-api-key does not authenticate, but a deployment may count the request for the key's bucket.
  const used = Map.groupBy(
    history.exchanges.filter(
      ({ key, operation, credential, status }) =>
        key !== null && operation !== 'storage' && (credential === 'key' || status !== 429),
    ),
    ({ key }) => key,
  );
  const uses = tenantsOf(deployment).flatMap((owner) =>
    owner.keys.flatMap((key): KeyUse[] => {
      const name = `${owner.name}/${key.name}`;
      const exchanges = used.get(name) ?? [];
      const [first] = exchanges;
      if (first === undefined || key.revoked) return [];
      const limit: Limit = { perSecond: key.rateLimit.perSecond, burst: key.rateLimit.burst };
      const measured = key.use === 'limits' && owner === tenant;
      // Another client may use a key that is not reserved, so its volley only shows that there is a limit.
      const samples = exchanges.filter(({ paced, status }) => measured || paced || status !== 429).map(sampleOf);
      // Another client may have used the key shortly before the run.
      const startedFull = first.sentAt - startedAt >= restSeconds(limit) * 1000;
      const whole = judge(limit, samples, { startedFull, ...(!measured && proofs) });
      const rejectedConsume = whole.tooStrict && !whole.tooLax ? consumesRejected(samples, whole) : 'no';
      const judgement =
        rejectedConsume === 'surely' ? judge(limit, withRejected(samples), { startedFull, ...proofs }) : whole;
      const shut = measured ? shutAfter({ exchanges, samples, limit }) : [];
      const use = { key: name, limit, measured, exchanges, samples, judgement, rejectedConsume, shut };
      return [{ ...use, blame: blameOf(use), interference: null }];
    }),
  );
  // Another client is unlikely to use several keys of this run at the same time.
  const strict = uses.filter(({ judgement: { tooStrict, tooLax } }) => tooStrict && !tooLax);
  return strict.length < minStrictKeys
    ? uses.map((use) => ({ ...use, interference: interferenceOn(use, uses) }))
    : uses;
});

/** If this many keys are too strict, the deployment is the cause, and not another client. */
const minStrictKeys = 3;

/** The measurement with the reserved key; null where there was none. */
export function limiterIn(
  history: History,
): { readonly samples: readonly Observation[]; readonly judgement: Judgement } | null {
  const use = keysIn(history).find(({ measured, exchanges }) => measured && exchanges.some(({ paced }) => !paced));
  return use === undefined ? null : { samples: use.samples, judgement: use.judgement };
}

/** Splits samples wherever the key was idle for so long that its bucket was full. */
export function restedRuns<T extends Pick<Observation, 'sentAt' | 'doneAt'>>(
  samples: readonly T[],
  limit: Limit,
): readonly (readonly T[])[] {
  const runs: T[][] = [];
  let free = Number.NEGATIVE_INFINITY;
  for (const sample of [...samples].sort((a, b) => a.sentAt - b.sentAt)) {
    if (sample.sentAt - free >= restSeconds(limit) * 1000) runs.push([]);
    runs.at(-1)?.push(sample);
    free = Math.max(free, sample.doneAt);
  }
  return runs;
}

/** Splits samples wherever the bucket was full even if throttled requests had left it a whole burst below zero. */
const doublyRestedRuns = (samples: readonly Observation[], { perSecond, burst }: Limit) =>
  restedRuns(samples, { perSecond, burst: 2 * burst });

/** When the bucket was surely full for the last time before a request. */
export const fullSince = ({ samples, limit }: KeyUse, at: number): number =>
  doublyRestedRuns(samples, limit).reduce(
    (since, [first]) => (first !== undefined && first.sentAt <= at ? first.sentAt : since),
    Number.NEGATIVE_INFINITY,
  );

/**
 * The tokens that a bucket surely held at the 429 with the strongest proof; 0 if every 429 was right.
 * @param samples all requests of a key whose bucket was full before the first
 */
const lackingIn = (samples: readonly Observation[], limit: Limit): number =>
  samples.length === 0 ? 0 : (judge(limit, samples, proofs).tooStrict?.tokens ?? 0);
export const isStrict = (samples: readonly Observation[], limit: Limit): boolean => lackingIn(samples, limit) > 0;
export const isLax = (samples: readonly Observation[], limit: Limit): boolean =>
  samples.length > 0 && judge(limit, samples, proofs).tooLax !== undefined;

/** The requests of one part of the measurement. */
export const samplesOf = ({ exchanges }: Pick<KeyUse, 'exchanges'>, part: string) =>
  exchanges.filter(({ situation }) => situation === `limiter/${part}`).map(sampleOf);

function blameOf(use: Omit<KeyUse, 'blame' | 'interference'>): Blame {
  const { limit, judgement, measured } = use;
  const { off, tooLax, tooStrict } = judgement;
  if (!tooLax && use.shut.length > 0) return { ...innocent, rate: true };
  if (!tooLax && !tooStrict) return innocent;
  if (!measured) return { rate: off.burst === 0 || off.rate !== 0, burst: off.burst !== 0, clustering: false };
  const sustained = samplesOf(use, 'sustained');
  const overload = judge(limit, sustained.length > 0 ? sustained : use.samples, { ...proofs, startedFull: false });
  // If another key took tokens of this key, only the requests of this key alone show its own bucket.
  const alone = samplesOf(use, 'alone');
  const full = alone.length > 0 ? alone : samplesOf(use, 'exhausted');
  const attacks = [full, samplesOf(use, 'clustering'), samplesOf(use, 'again')].flatMap((samples) =>
    restedRuns(samples, limit),
  );
  const paced = samplesOf(use, 'paced');
  const rate = off.rate !== 0 || overload.tooLax !== undefined || overload.tooStrict !== undefined;
  const strictVolley = attacks.some((attack) => isStrict(volleyOf(attack), limit)) && !isStrict(paced, limit);
  const burst = off.burst !== 0 || strictVolley || attacks.some((attack) => isLax(volleyOf(attack), limit));
  // Each volley is within the limit, but several volleys at about the same time admit more than a bucket holds.
  const clustering =
    !overload.tooLax && attacks.some((attack) => isLax(attack, limit) && !isLax(volleyOf(attack), limit));
  return { rate: rate || !(burst || clustering), burst, clustering };
}

/** The share of the rate that another client with occasional requests may take. */
const maxForeignShare = 0.15;

/**
 * Another client that uses the key makes its limiter look stricter, never laxer. Such a client cannot leave the whole rate and yet take more
 * than one token from a volley, cannot take that one token from every volley, and cannot throttle another key.
 */
function interferenceOn(use: KeyUse, all: readonly KeyUse[]) {
  const { key, limit, judgement, samples, rejectedConsume } = use;
  const { tooStrict, tooLax, measured, off } = judgement;
  const perhaps = 'another client may use the key';
  if (use.shut.length > 0 || isShutForGood(use)) return null;
  if (rejectedConsume === 'perhaps')
    return `throttled requests of key ${key} may take a token or a part of one, or ${perhaps}`;
  if (!tooStrict || tooLax) return null;
  const alone = !all.some((other) => other.key !== key && other.judgement.tooStrict);
  if (alone && spreadOf(samples) > 1000 / limit.perSecond)
    return `key ${key} alone is throttled below its limit, over a network that delays requests unevenly: ${perhaps}`;
  const held = heldAtOnce(samples, limit);
  if (measured.bucket) {
    const perSecond = measured.rate.best ?? Math.min(measured.rate.high, limit.perSecond * (1 + off.rate));
    const isFaster = (other: KeyUse) =>
      other.key !== key && sameLimit(other, limit) && isLax(other.samples, { perSecond, burst: limit.burst });
    if (off.rate < 0 && (off.rate > -maxForeignShare || all.some(isFaster)))
      return `key ${key} gets only ${perSecond.toFixed(1)} requests per second, and no other key confirms that limit: ${perhaps}`;
    const oneShort =
      off.rate === 0 && measured.burst.high > limit.burst - 1 && held.some(({ high }) => high > limit.burst);
    return oneShort ? `key ${key} lacks one of ${limit.burst} requests at once, but not every time: ${perhaps}` : null;
  }
  const atLeast = Math.max(...held.map(({ low }) => low));
  const below = Math.min(...held.map(({ high }) => high));
  // Another client does not take the same number of tokens from every volley but the first, and none from requests at the rate.
  const later = held.slice(1).map(({ high }) => high);
  const isSteady = ['paced', 'sustained'].every(
    (part) => judge(limit, samplesOf(use, part), { ...proofs, startedFull: false }).tooStrict === undefined,
  );
  if (later.length > 1 && Math.max(...later) < Math.min(atLeast - 1, below + 2) && isSteady) return null;
  return held.length > 1 && below < atLeast - 1
    ? `after a rest, key ${key} admitted fewer than ${Math.ceil(below)} requests at one time and at least ${Math.floor(atLeast)} at another: ${perhaps}`
    : `requests of key ${key} were throttled below its rate, in a way that no bucket explains: ${perhaps}`;
}

/**
 * Requests that show that a key is shut after a 429 for longer than its Retry-After, without another client: time after time, nothing was sent until
 * Retry-After had passed, and the next request was throttled, while a rested key admits its burst.
 */
function shutAfter({
  exchanges,
  samples,
  limit,
}: Pick<KeyUse, 'exchanges' | 'samples' | 'limit'>): readonly Exchange[] {
  const rested = heldAtOnce(samples, limit).filter(({ low }) => low > limit.burst - 2);
  const again = exchanges.filter(({ situation }) => situation === 'limiter/again');
  const retries = retriesAfterPauses(again, limit);
  const isShut =
    rested.length > 1 &&
    retries.length >= minRetries &&
    retries.every(isThrottled) &&
    missingTokens(limit, withRejected(again.map(sampleOf))) > 0;
  return isShut ? retries : [];
}

/** Whether nothing is admitted any more, at the rate and after long rests. Another client cannot be faster every single time. */
const isShutForGood = ({ exchanges, limit }: Pick<KeyUse, 'exchanges' | 'limit'>): boolean =>
  ['paced', 'again']
    .map((part) => samplesOf({ exchanges }, part))
    .every((part) => part.length >= limit.burst && part.every(isThrottled));

/** So many throttled retries in a row are no chance. */
const minRetries = 3;

/** The requests after 429s, where nothing was sent until Retry-After had passed, and not for so long that the bucket was full. */
const retriesAfterPauses = (exchanges: readonly Exchange[], limit: Limit): readonly Exchange[] => {
  const sorted = exchanges.toSorted((a, b) => a.sentAt - b.sentAt);
  return beforePauses(sorted).flatMap((exchange) => {
    const next = sorted[sorted.indexOf(exchange) + 1];
    return next && next.sentAt - exchange.doneAt < restSeconds(limit) * 1000 ? [next] : [];
  });
};

/** Throttled requests after which nothing was sent with the key until Retry-After had passed. */
export function beforePauses(exchanges: readonly Exchange[]): readonly Exchange[] {
  const sorted = exchanges.toSorted((a, b) => a.sentAt - b.sentAt);
  return sorted.filter((exchange, index) => {
    const next = sorted[index + 1];
    const { seconds } = readRetryAfter(exchange.headers['retry-after']);
    return isThrottled(exchange) && seconds !== undefined && (next?.sentAt ?? 0) >= exchange.doneAt + seconds * 1000;
  });
}

const sameLimit = ({ limit }: KeyUse, { perSecond, burst }: Limit) =>
  limit.perSecond === perSecond && limit.burst === burst;

/** The first volley of a run. */
const volleyFrom = <T extends Observation>(run: readonly T[]): readonly T[] =>
  run.filter(({ sentAt }) => sentAt - (run[0]?.sentAt ?? 0) <= volleyMilliseconds);

/** How many requests at once a rested key admits, by each volley that was throttled. */
const heldAtOnce = (samples: readonly Observation[], limit: Limit) =>
  restedRuns(samples, limit).flatMap((run) => {
    const volley = volleyFrom(run);
    if (!volley.some(isThrottled)) return [];
    const { burstAtLeast, burstBelow } = envelope(volley, limit, {});
    return [{ low: burstAtLeast(limit.perSecond / 1000), high: burstBelow(limit.perSecond / 1000) }];
  });

/** Gaps between requests, as shares of the interval of the rate, after which an honest bucket has a token now and then. */
const [minGap, maxGap] = [0.3, 0.8];

/** Pairs of requests with such a gap that rule out chance. */
const minPairs = 30;

/** The admitted share of such pairs if throttled requests take tokens, on a steady network and on one that reorders requests. */
const [maxAdmittedSteady, maxAdmittedUnsteady] = [0.15, 0.5];

/**
 * Whether throttled requests take tokens: next to nothing is admitted right after a throttled request, and that explains every 429. If that
 * explains every 429 and no bucket does, throttled requests may take a part of a token.
 */
function consumesRejected(
  samples: readonly Observation[],
  { limit: { perSecond, burst }, measured }: Judgement,
): Consuming {
  const sorted = [...samples].sort((a, b) => a.sentAt - b.sentAt);
  const interval = 1000 / perSecond;
  const followers = sorted.filter((sample, i) => {
    const before = sorted[i - 1];
    const gap = sample.sentAt - (before?.sentAt ?? 0);
    return before !== undefined && isThrottled(before) && gap > minGap * interval && gap < maxGap * interval;
  });
  const admitted = followers.filter(({ status }) => admissionOf(status) === 'admitted').length;
  const unsteady = spreadOf(samples) > interval;
  const none =
    followers.length >= minPairs && admitted <= followers.length * (unsteady ? maxAdmittedUnsteady : maxAdmittedSteady);
  if (!none && measured.bucket) return 'no';
  // A rested bucket is full, whatever was throttled before.
  const rested = doublyRestedRuns(samples, { perSecond, burst });
  const isShort = (run: readonly Observation[]) => {
    const refusals = volleyFrom(run).filter(isThrottled);
    const until = Math.max(...refusals.map(({ doneAt }) => doneAt));
    const before = run.filter(({ status, sentAt }) => admissionOf(status) === 'admitted' && sentAt <= until);
    return refusals.length > 0 && before.length < burst - 1;
  };
  if (rested.slice(1).some(isShort)) return 'no';
  // A bucket is never more than a burst below zero, so the tokens refilled since the previous 429 must be used up.
  const throttled = sorted.filter(isThrottled);
  const explained = throttled.every((one) => {
    const since = throttled.reduce((last, { doneAt }) => (doneAt <= one.sentAt ? Math.max(last, doneAt) : last), -1);
    if (since < 0) return true;
    const taken = sorted.filter((other) => other !== one && other.doneAt >= since && other.sentAt <= one.doneAt).length;
    return Math.min(burst, (one.sentAt - since) / interval - burst) - taken < 1;
  });
  if (!explained) return 'no';
  return none && !unsteady ? 'surely' : 'perhaps';
}

/** Milliseconds by which slow replies are slower than quick ones. */
function spreadOf(samples: readonly Observation[]): number {
  const took = samples.map(({ sentAt, doneAt }) => doneAt - sentAt).sort((a, b) => a - b);
  const at = (part: number) => took[Math.floor(part * took.length)] ?? 0;
  return at(0.9) - at(0.1);
}

/** Adds a 404 for each throttled request: a request that may have taken a token. */
export const withRejected = (samples: readonly Observation[]): Observation[] =>
  samples.flatMap((sample) => (isThrottled(sample) ? [sample, { ...sample, status: 404 }] : [sample]));
