import { admissionOf } from '../admission.ts';
import { type Limit, largestBurst } from '../limit.ts';
import type { Measured } from '../measure.ts';
import { inOrder, type Observation, restedRuns } from '../observation.ts';
import { throttledTakeTokens } from './throttled-take-tokens.ts';
import { windowOf } from './window-of.ts';

/** What a limiter that is not as declared looks like: a hint for people, read off the trace, and never a proof. */
export type Kind = {
  readonly name:
    | 'other-status'
    | 'delay'
    | 'none'
    | 'unlimited-operation'
    | 'per-operation'
    | 'starts-empty'
    | 'throttled-take-tokens'
    | 'window'
    | 'replicas';
  readonly says: string;
  /** The status that comes in place of 429. */
  readonly status?: number;
};

/** What a judgement already knows, and how to ask again of some of the observations, or of all in another light. */
type Known = {
  readonly limit: Limit;
  readonly observations: readonly Observation[];
  readonly measured: Measured;
  readonly lax: boolean;
  /** The window most over the limit, in ms. */
  readonly tooLax?: { readonly from: number; readonly to: number; readonly admitted: number } | undefined;
  readonly strict: boolean;
  again(
    observations: readonly Observation[],
    startedFull?: boolean,
  ): { readonly lax: boolean; readonly strict: boolean };
};

const fewest = 8;

/** The common kind that explains what was seen, if one does. */
export function kindOf(known: Known): Kind | undefined {
  if (!known.observations.some(isThrottled)) return otherStatus(known) ?? delay(known) ?? none(known);
  if (!known.lax && !known.strict) return delay(known) ?? (known.measured.bucket ? undefined : window(known));
  // A bucket that explains everything needs no other explanation: requests sent in batches make it look like a window.
  if (known.measured.bucket) return takeTokens(known) ?? replicas(known);
  return byOperation(known) ?? takeTokens(known) ?? window(known) ?? startsEmpty(known);
}

const isThrottled = ({ status }: Observation) => admissionOf(status) === 'throttled';
const isAdmitted = ({ status }: Observation) => admissionOf(status) === 'admitted';

/** One other status that would be in its place everywhere, were it 429. */
function otherStatus({ observations, again }: Known): Kind | undefined {
  const others = observations.filter(({ status }) => status >= 400 && status !== 429);
  const counts = new Map<number, number>();
  for (const { status } of others) counts.set(status, (counts.get(status) ?? 0) + 1);
  const [status = 0, count = 0] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
  if (count < fewest || count < 0.03 * observations.length) return undefined;
  const meant = again(observations.map((one) => (one.status === status ? { ...one, status: 429 } : one)));
  if (meant.strict) return undefined;
  return { name: 'other-status', status, says: `answers ${status} where 429 is due (${count} times)` };
}

/** Replies that leave far more evenly than their requests came, and no faster than the limit. */
function delay({ observations, limit }: Known): Kind | undefined {
  const admitted = observations.filter(isAdmitted);
  const waits = admitted.map(({ sentAt, doneAt }) => doneAt - sentAt).sort((a, b) => a - b);
  const [quick = 0, most = 0] = [waits[Math.floor(waits.length * 0.02)], waits.at(-1)];
  const slow = waits.filter((wait) => wait > quick + 2000 / limit.perSecond).length;
  if (slow < fewest || slow < waits.length / 3) return undefined;
  const came = excess(
    limit,
    admitted.map(({ sentAt }) => sentAt),
  );
  const left = excess(
    limit,
    admitted.map(({ doneAt }) => doneAt),
  );
  if (came < fewest || left > came / 2) return undefined;
  const before = observations.some(isThrottled) ? 'holds requests back before it throttles' : holdsBack;
  const says = `${before}: up to ${(most / 1000).toFixed(1)} s, where the quickest took ${Math.round(quick)} ms`;
  return { name: 'delay', says };
}

const holdsBack = 'throttles nothing, and holds requests back instead';

/** By how many a moment's requests, or a longer time's, were once ahead of the rate. */
function excess({ perSecond }: Limit, times: readonly number[]): number {
  let [most, least] = [0, Number.POSITIVE_INFINITY];
  [...times]
    .sort((a, b) => a - b)
    .forEach((at, index) => {
      const ahead = index - (at * 1.1 * perSecond) / 1000;
      least = Math.min(least, ahead);
      most = Math.max(most, ahead - least);
    });
  return most;
}

const none = ({ lax }: Known): Kind | undefined => (lax ? { name: 'none', says: 'throttles nothing' } : undefined);

/** Several operations that do not share one bucket. */
function byOperation({ observations, lax, again }: Known): Kind | undefined {
  // Not Map.groupBy: k6 has none.
  const names = [...new Set(observations.map(({ operation }) => operation ?? 'others'))].sort();
  if (names.length < 2 || !lax) return undefined;
  const groups = names.map((name) => observations.filter(({ operation }) => (operation ?? 'others') === name));
  const free = names.filter(
    (_, i) => (groups[i] ?? []).filter(isAdmitted).length >= fewest && !groups[i]?.some(isThrottled),
  );
  const limited = groups.filter((all) => all.filter(isThrottled).length > all.length / 5).length;
  if (free.length > 0 && limited > 0)
    return { name: 'unlimited-operation', says: `does not limit ${free.join(', ')}, but other operations` };
  // Each keeps the limit by itself: a window that all share would throttle some of them for the others' requests.
  if (groups.some((all) => again(all).lax || again(all).strict)) return undefined;
  return { name: 'per-operation', says: 'has a limit for each operation, not for the key' };
}

/** The first requests of a rested key are throttled, and that explains all that were throttled too early. */
function startsEmpty({ observations, strict, lax, again }: Known): Kind | undefined {
  if (!strict || lax || again(observations, false).strict) return undefined;
  const begin = Math.min(...observations.map(({ sentAt }) => sentAt));
  if (!observations.some((one) => isThrottled(one) && one.sentAt < begin + 1000)) return undefined;
  return { name: 'starts-empty', says: 'starts empty: the first requests of a rested key are throttled' };
}

/** Only where every 429 is excused by it, and the first after each rest has none before it that could have taken anything. */
function takeTokens({ limit, observations, strict, lax, again }: Known): Kind | undefined {
  if (!strict || lax || !throttledTakeTokens(limit, observations)) return undefined;
  const full = (1.01 * limit.burst) / limit.perSecond;
  const unexcused = restedRuns(inOrder(observations), limit, full).some(
    (part) => again(untilFirstThrottled(part)).strict,
  );
  // What was refused counts as having taken a token, and so does a 429 here.
  const alsoTaking = observations.filter(isThrottled).map((one) => ({ ...one, status: 403 }));
  if (unexcused || again([...observations, ...alsoTaking]).strict) return undefined;
  const says = 'lets throttled requests take tokens too, so that an overloaded key gets next to nothing';
  return { name: 'throttled-take-tokens', says };
}

/** The requests with one 429 for all that may have been the first. */
export function untilFirstThrottled(observations: readonly Observation[]): readonly Observation[] {
  const throttled = observations.filter(isThrottled);
  const firstDone = Math.min(...throttled.map(({ doneAt }) => doneAt));
  const perhapsFirst = throttled.filter(({ sentAt }) => sentAt <= firstDone);
  if (perhapsFirst.length === 0) return [];
  const first = {
    sentAt: Math.min(...perhapsFirst.map(({ sentAt }) => sentAt)),
    doneAt: Math.max(...perhapsFirst.map(({ doneAt }) => doneAt)),
    status: 429,
  };
  return [...observations.filter((one) => !isThrottled(one)), first];
}

function window({ observations, tooLax }: Known): Kind | undefined {
  const found = windowOf(observations);
  if (found === undefined) return undefined;
  const { seconds, requests } = found;
  // Such windows, however they lie, would not have admitted what is proven.
  const windows = tooLax ? Math.ceil((tooLax.to - tooLax.from) / 1000 / seconds) + 1 : 0;
  if (tooLax && tooLax.admitted > 1.1 * windows * requests) return undefined;
  return { name: 'window', says: `looks like a window of ${seconds} s with ${requests} requests` };
}

/** A whole number of times the declared limit, rate and burst alike. */
function replicas({ limit, measured, lax }: Known): Kind | undefined {
  const [rate, burst] = [measured.rate.best ?? measured.rate.low, measured.burst.best ?? measured.burst.low];
  const times = Math.round(rate / limit.perSecond);
  const held = burst >= times * limit.burst - times && measured.burst.low <= times * largestBurst(limit);
  if (!lax || times < 2 || !held || Math.abs(rate / limit.perSecond - times) > 0.05 * times) return undefined;
  return {
    name: 'replicas',
    says: `looks like ${times} limiters of the declared limit, such as replicas that share nothing`,
  };
}
