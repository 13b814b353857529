import { envelope } from '../../../spec/limiter/envelope.ts';
import { judge } from '../../../spec/limiter/judge.ts';
import type { Limit } from '../../../spec/limiter/limit.ts';
import { volleyMilliseconds } from '../../../spec/limiter/missing-tokens.ts';
import { type Observation, restedRuns } from '../../../spec/limiter/observation.ts';
import { isLax, isStrict, proofs } from './blame.ts';
import { isThrottled, type KeyUse, samplesOf, withRejected } from './key-use.ts';

/** The share of the rate that another client with three requests per second takes, where this run sends fifteen. */
const maxForeignShare = 0.18;

/**
 * Another client that uses the key makes its limiter look stricter, never laxer. Such a client cannot leave the whole rate and yet take more
 * than two tokens from a volley, cannot take them from every volley, and cannot throttle another key.
 */
export function interferenceOn(use: KeyUse, all: readonly KeyUse[]): string | null {
  const { key, limit, judgement, samples } = use;
  const { tooStrict, tooLax, measured, off } = judgement;
  const client = 'another client may use the key';
  const perhaps = isStrict(withRejected(samples), limit)
    ? client
    : `each throttled request may cost a token as well, without a bound, so that a key is shut for longer the more it sends; or ${client}`;
  if (use.shut.length > 0 || isShutForGood(use)) return null;
  if (!tooStrict || tooLax || isOneOperation(use)) return null;
  const alone = !all.some((other) => other.key !== key && other.judgement.tooStrict);
  // Only the measured key is kept from other clients.
  if (alone && !use.measured) return `key ${key} alone is throttled below its limit: ${perhaps}`;
  if (alone && spreadOf(samples) > 1000 / limit.perSecond)
    return `key ${key} alone is throttled below its limit, over a network that delays requests unevenly: ${perhaps}`;
  const held = heldAtOnce(samples, limit);
  if (measured.bucket) {
    const perSecond = measured.rate.best ?? Math.min(measured.rate.high, limit.perSecond * (1 + off.rate));
    const isFaster = (other: KeyUse) =>
      other.key !== key && sameLimit(other, limit) && isLax(other.samples, { perSecond, burst: limit.burst });
    if (off.rate < 0 && (off.rate > -maxForeignShare || all.some(isFaster)))
      return `key ${key} gets only ${perSecond.toFixed(1)} requests per second, and no other key confirms that limit: ${perhaps}`;
    const fewShort =
      off.rate === 0 && measured.burst.high > limit.burst - 2 && held.some(({ high }) => high > limit.burst);
    return fewShort
      ? `key ${key} lacks one or two of ${limit.burst} requests at once, but not every time: ${perhaps}`
      : null;
  }
  const atLeast = Math.max(...held.map(({ low }) => low));
  const below = Math.min(...held.map(({ high }) => high));
  // Another client does not take the same number of tokens from every volley but the first, and none from requests at the rate.
  const later = held.slice(1).map(({ high }) => high);
  const isSteady = ['paced', 'sustained'].every(
    (part) => judge(limit, samplesOf(use, part), { ...proofs, startedFull: false }).tooStrict === undefined,
  );
  if (later.length > 2 && Math.max(...later) < Math.min(atLeast - 1, below + 2) && isSteady) return null;
  return held.length > 1 && below < atLeast - 1
    ? `after a rest, key ${key} admitted fewer than ${Math.ceil(below)} requests at one time and at least ${Math.floor(atLeast)} at another: ${perhaps}`
    : `requests of key ${key} were throttled below its rate, in a way that no bucket explains: ${perhaps}`;
}

/** Whether nothing is admitted any more, at the rate and after long rests. Another client cannot be faster every single time. */
const isShutForGood = ({ exchanges, limit }: Pick<KeyUse, 'exchanges' | 'limit'>): boolean =>
  ['paced', 'again']
    .map((part) => samplesOf({ exchanges }, part))
    .every((part) => part.length >= limit.burst && part.every(isThrottled));

/** Milliseconds before and after a throttled request, in which another client would throttle any request of the key. */
const near = 2_000;
/** A coincidence that is less likely is none. */
const minChance = 1e-6;

/** Whether all requests below the rate that are throttled are of one operation, though others of the key are sent at the same times. */
function isOneOperation({ exchanges }: Pick<KeyUse, 'exchanges'>): boolean {
  const paced = exchanges.filter((one) => one.paced);
  const throttled = paced.filter(isThrottled);
  const [operation] = throttled.map((one) => one.operation);
  if (throttled.some((one) => one.operation !== operation)) return false;
  const chances = throttled.map(({ sentAt }) => {
    const around = paced.filter((one) => Math.abs(one.sentAt - sentAt) <= near);
    return around.filter((one) => one.operation === operation).length / around.length;
  });
  return chances.reduce((all, one) => all * one, 1) < minChance;
}

const sameLimit = ({ limit }: KeyUse, { perSecond, burst }: Limit) =>
  limit.perSecond === perSecond && limit.burst === burst;

/** How many requests at once a rested key admits, by each volley that was throttled. */
export const heldAtOnce = (samples: readonly Observation[], limit: Limit) =>
  restedRuns(samples, limit).flatMap((run) => {
    const volley = run.filter(({ sentAt }) => sentAt - (run[0]?.sentAt ?? 0) <= volleyMilliseconds);
    if (!volley.some(isThrottled)) return [];
    const { burstAtLeast, burstBelow } = envelope(volley, limit, {});
    return [{ low: burstAtLeast(limit.perSecond / 1000), high: burstBelow(limit.perSecond / 1000) }];
  });

/** Milliseconds by which slow replies are slower than quick ones. */
function spreadOf(samples: readonly Observation[]): number {
  const took = samples.map(({ sentAt, doneAt }) => doneAt - sentAt).sort((a, b) => a - b);
  const at = (part: number) => took[Math.floor(part * took.length)] ?? 0;
  return at(0.9) - at(0.1);
}
