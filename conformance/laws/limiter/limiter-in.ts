import { admissionOf } from '../../../spec/limiter/admission.ts';
import { envelope } from '../../../spec/limiter/envelope.ts';
import { type Judgement, judge } from '../../../spec/limiter/judge.ts';
import { type Limit, restSeconds } from '../../../spec/limiter/limit.ts';
import type { Observation } from '../../../spec/limiter/observation.ts';
import type { Exchange } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { deploymentIn } from '../judging/asked.ts';
import { once } from '../judging/law.ts';

/** All requests that showed one key, and what they prove about its bucket. */
export interface KeyUse {
  /** `tenant/key`. */
  readonly key: string;
  readonly limit: Limit;
  /** The key that is kept for the measurement. */
  readonly measured: boolean;
  readonly exchanges: readonly Exchange[];
  readonly samples: readonly Observation[];
  readonly judgement: Judgement;
  /** Which rule a limiter that is proven wrong has broken: at least one of them where something is proven. */
  readonly blame: Blame;
  /** Why what is proven may not be the bucket's doing, but that of somebody else who uses the key; null where it cannot be. */
  readonly interference: string | null;
  /** Whether throttled requests take tokens, too, which explains what would be too strict otherwise. */
  readonly rejectedConsume: Consuming;
}

/** `perhaps`: the network does not let a run tell. */
type Consuming = 'surely' | 'perhaps' | 'no';

export interface Blame {
  readonly rate: boolean;
  readonly burst: boolean;
  readonly clustering: boolean;
}

const innocent: Blame = { rate: false, burst: false, clustering: false };

/** Proofs are wanted, not that the run could have shown everything. */
const proofs = { mustShow: {} };

export const sampleOf = ({ sentAt, doneAt, status }: Exchange): Observation => ({
  sentAt,
  doneAt,
  status: status ?? 0,
});

const isThrottled = ({ status }: Pick<Observation, 'status'>) => admissionOf(status) === 'throttled';

/** Every key that the target file names and that was used, with what its requests prove. */
export const keysIn = once((history: History): readonly KeyUse[] => {
  const { tenant, stranger } = deploymentIn(history);
  const startedAt = Date.parse(history.known.startedAt);
  // Shown in another way it is no key; who refuses it may count it all the same.
  const used = Map.groupBy(
    history.exchanges.filter(
      ({ key, operation, credential, status }) =>
        key !== null && operation !== 'storage' && (credential === 'key' || status !== 429),
    ),
    ({ key }) => key,
  );
  const uses = [tenant, ...(stranger ? [stranger] : [])].flatMap((owner) =>
    owner.keys.flatMap((key): KeyUse[] => {
      const name = `${owner.name}/${key.name}`;
      const exchanges = used.get(name) ?? [];
      const [first] = exchanges;
      if (first === undefined || key.revoked) return [];
      const limit: Limit = { perSecond: key.rateLimit.perSecond, burst: key.rateLimit.burst };
      const measured = key.use === 'limits' && owner === tenant;
      const samples = exchanges.map(sampleOf);
      // What was used before the run began, nobody knows.
      const startedFull = first.sentAt - startedAt >= restSeconds(limit) * 1000;
      const whole = judge(limit, samples, { startedFull, ...(!measured && proofs) });
      const rejectedConsume = whole.tooStrict && !whole.tooLax ? consumesRejected(samples, whole) : 'no';
      const judgement =
        rejectedConsume === 'surely' ? judge(limit, withRejected(samples), { startedFull, ...proofs }) : whole;
      const use = { key: name, limit, measured, exchanges, samples, judgement, rejectedConsume };
      return [{ ...use, blame: blameOf(use), interference: null }];
    }),
  );
  // One client has no reason to use several of our keys at once, most of them idle.
  const strict = uses.filter(({ judgement: { tooStrict, tooLax } }) => tooStrict && !tooLax);
  return strict.length < keysOfNobodyElse
    ? uses.map((use) => ({ ...use, interference: interferenceOn(use, uses) }))
    : uses;
});

/** So many keys that are too strict at once are the deployment's doing. */
const keysOfNobodyElse = 3;

/** The measurement of the key that is kept for it; null where there was none. */
export function limiterIn(
  history: History,
): { readonly samples: readonly Observation[]; readonly judgement: Judgement } | null {
  const use = keysIn(history).find(({ measured, exchanges }) => measured && exchanges.some(({ paced }) => !paced));
  return use === undefined ? null : { samples: use.samples, judgement: use.judgement };
}

/** Runs of samples, oldest first, between which the key was idle for long enough to be full. */
function restedRuns<T extends Observation>(samples: readonly T[], limit: Limit): readonly (readonly T[])[] {
  const runs: T[][] = [];
  let free = Number.NEGATIVE_INFINITY;
  for (const sample of [...samples].sort((a, b) => a.sentAt - b.sentAt)) {
    if (sample.sentAt - free >= restSeconds(limit) * 1000) runs.push([]);
    runs.at(-1)?.push(sample);
    free = Math.max(free, sample.doneAt);
  }
  return runs;
}

/** Milliseconds within which requests are one volley. */
const tick = 20;

const volleyOf = (run: readonly Observation[]): readonly Observation[] => {
  const groups: Observation[][] = [];
  for (const sample of run) {
    const last = groups.at(-1);
    if (last?.[0] !== undefined && sample.sentAt - last[0].sentAt <= tick) last.push(sample);
    else groups.push([sample]);
  }
  return groups.reduce((most, group) => (group.length > most.length ? group : most), []);
};

/** How many tokens a bucket surely held at the 429 that is hardest to explain, if the key was full before the first sample: 0 where every 429 is explained. */
export const lackingIn = (samples: readonly Observation[], limit: Limit): number =>
  samples.length === 0 ? 0 : (judge(limit, samples, proofs).tooStrict?.tokens ?? 0);
export const isStrict = (samples: readonly Observation[], limit: Limit): boolean => lackingIn(samples, limit) > 0;
export const isLax = (samples: readonly Observation[], limit: Limit): boolean =>
  samples.length > 0 && judge(limit, samples, proofs).tooLax !== undefined;

const inPart = ({ exchanges }: Pick<KeyUse, 'exchanges'>, part: string) =>
  exchanges.filter(({ situation }) => situation === `limiter/${part}`).map(sampleOf);

function blameOf(use: Omit<KeyUse, 'blame' | 'interference'>): Blame {
  const { limit, judgement, measured } = use;
  const { off, tooLax, tooStrict } = judgement;
  if (!tooLax && !tooStrict) return innocent;
  if (!measured) return { rate: off.burst === 0 || off.rate !== 0, burst: off.burst !== 0, clustering: false };
  const sustained = inPart(use, 'sustained');
  const overload = judge(limit, sustained.length > 0 ? sustained : use.samples, { ...proofs, startedFull: false });
  // A key that lacks what another took is judged by what it has alone.
  const alone = inPart(use, 'alone');
  const full = alone.length > 0 ? alone : inPart(use, 'exhausted');
  const attacks = [full, inPart(use, 'clustering')].flatMap((samples) => restedRuns(samples, limit));
  const paced = inPart(use, 'paced');
  const rate = off.rate !== 0 || overload.tooLax !== undefined || overload.tooStrict !== undefined;
  const strictVolley = attacks.some((attack) => isStrict(volleyOf(attack), limit)) && !isStrict(paced, limit);
  const burst = off.burst !== 0 || strictVolley || attacks.some((attack) => isLax(volleyOf(attack), limit));
  // One volley is within the limit, and yet several around the same moment admit more than any bucket holds.
  const clustering =
    !overload.tooLax && attacks.some((attack) => isLax(attack, limit) && !isLax(volleyOf(attack), limit));
  return { rate: rate || !(burst || clustering), burst, clustering };
}

/** The part of a rate that somebody else who uses the key now and then may take. */
const little = 0.15;

/**
 * Others who use the key make its limiter look stricter than it is, never laxer. What they cannot do: leave its whole rate, and yet take more than
 * one token from a volley; leave every volley short of that one token; throttle another key as well.
 */
function interferenceOn({ key, limit, judgement, samples, rejectedConsume }: KeyUse, all: readonly KeyUse[]) {
  const { tooStrict, tooLax, measured, off } = judgement;
  const perhaps = 'somebody else may use it';
  if (rejectedConsume === 'perhaps')
    return `throttled requests of key ${key} may take tokens, too, or a part of one, or ${perhaps}`;
  if (!tooStrict || tooLax) return null;
  const alone = !all.some((other) => other.key !== key && other.judgement.tooStrict);
  if (alone && spreadOf(samples) > 1000 / limit.perSecond)
    return `key ${key} alone is throttled below its limit, over a network that delays requests unevenly: ${perhaps}`;
  const held = heldAtOnce(samples, limit);
  if (measured.bucket) {
    const perSecond = measured.rate.best ?? Math.min(measured.rate.high, limit.perSecond * (1 + off.rate));
    const isFaster = (other: KeyUse) =>
      other.key !== key && sameLimit(other, limit) && isLax(other.samples, { perSecond, burst: limit.burst });
    if (off.rate < 0 && (off.rate > -little || all.some(isFaster)))
      return `key ${key} is left ${perSecond.toFixed(1)} requests per second, and no other key shows that it is so few: ${perhaps}`;
    const oneShort =
      off.rate === 0 && measured.burst.high > limit.burst - 1 && held.some(({ high }) => high > limit.burst);
    return oneShort ? `key ${key} lacks one of ${limit.burst} requests at once, and not each time: ${perhaps}` : null;
  }
  const most = Math.max(...held.map(({ low }) => low));
  const least = Math.min(...held.map(({ high }) => high));
  return held.length > 1 && least < most - 1
    ? `key ${key}, rested, held fewer than ${Math.ceil(least)} requests at one time and at least ${Math.floor(most)} at another: ${perhaps}`
    : `requests of key ${key} were throttled below its rate, in a way that no bucket explains: ${perhaps}`;
}

const sameLimit = ({ limit }: KeyUse, { perSecond, burst }: Limit) =>
  limit.perSecond === perSecond && limit.burst === burst;

/** How many requests at once a rested key holds, by each volley that was throttled. */
const heldAtOnce = (samples: readonly Observation[], limit: Limit) =>
  restedRuns(samples, limit).flatMap((run) => {
    const volley = run.filter(({ sentAt }) => sentAt - (run[0]?.sentAt ?? 0) <= tick);
    if (!volley.some(isThrottled)) return [];
    const { burstAtLeast, burstBelow } = envelope(volley, limit, {});
    return [{ low: burstAtLeast(limit.perSecond / 1000), high: burstBelow(limit.perSecond / 1000) }];
  });

/** Milliseconds between requests, in parts of the interval of the rate, in which a bucket would have a token now and then. */
const [closest, farthest] = [0.3, 0.8];

/** As many pairs as leave no doubt. */
const enough = 30;

/** Parts of such pairs: over a network that changes the order of requests some get through. */
const [calmly, unsteadily] = [0.15, 0.5];

/**
 * Whether next to nothing was admitted right after a throttled request, as where that took a token as well, and this explains everything. Where it
 * explains everything and no bucket does, a throttled request may take a part of a token.
 */
function consumesRejected(
  samples: readonly Observation[],
  { limit: { perSecond, burst }, measured }: Judgement,
): Consuming {
  const sorted = [...samples].sort((a, b) => a.sentAt - b.sentAt);
  const interval = 1000 / perSecond;
  const after = sorted.filter((sample, i) => {
    const before = sorted[i - 1];
    const gap = sample.sentAt - (before?.sentAt ?? 0);
    return before !== undefined && isThrottled(before) && gap > closest * interval && gap < farthest * interval;
  });
  const admitted = after.filter(({ status }) => admissionOf(status) === 'admitted').length;
  const unsteady = spreadOf(samples) > interval;
  const none = after.length >= enough && admitted <= after.length * (unsteady ? unsteadily : calmly);
  if (!none && measured.bucket) return 'no';
  // Nobody is further in debt than a burst: what has been refilled since the 429 before must be used up.
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

/** Milliseconds between the times that quick and slow replies take. */
function spreadOf(samples: readonly Observation[]): number {
  const took = samples.map(({ sentAt, doneAt }) => doneAt - sentAt).sort((a, b) => a - b);
  const at = (part: number) => took[Math.floor(part * took.length)] ?? 0;
  return at(0.9) - at(0.1);
}

/** Each throttled request once more as one that may have taken a token. */
export const withRejected = (samples: readonly Observation[]): Observation[] =>
  samples.flatMap((sample) => (isThrottled(sample) ? [sample, { ...sample, status: 404 }] : [sample]));
