import type { Limit } from './limit.ts';
import type { Proofs } from './measure.ts';
import { admissionOf, inOrder, type Observation, restedRuns } from './observation.ts';

/** What a limiter that is not as declared looks like: a hint for people, read off the trace, and never a proof. */
export type Kind = {
  readonly name:
    | 'other-status'
    | 'none'
    | 'unlimited-operation'
    | 'per-operation'
    | 'starts-empty'
    | 'throttled-take-tokens';
  readonly says: string;
};

/** What a judgement already knows, and how to ask again of some of the observations, or of all in another light. */
type Known = {
  readonly limit: Limit;
  readonly observations: readonly Observation[];
  /** Whether some token bucket explains everything. */
  readonly isBucket: boolean;
  readonly found: Proofs;
  again(observations: readonly Observation[], startedFull?: boolean): Proofs;
};

const fewest = 8;

const isThrottled = ({ status }: Observation) => admissionOf(status) === 'throttled';
const isAdmitted = ({ status }: Observation) => admissionOf(status) === 'admitted';

/** The common kind that explains what was seen, if one does. */
export function kindOf(known: Known): Kind | undefined {
  if (!known.observations.some(isThrottled)) return otherStatus(known) ?? none(known);
  // A bucket that explains everything needs no other explanation.
  if (known.found.tooLax) return known.isBucket ? undefined : byOperation(known);
  if (!known.found.tooStrict) return undefined;
  return takeTokens(known) ?? (known.isBucket ? undefined : startsEmpty(known));
}

/** One other status that would be in its place everywhere, were it 429. */
function otherStatus({ observations, again }: Known): Kind | undefined {
  const counts = new Map<number, number>();
  for (const { status } of observations) if (status >= 400) counts.set(status, (counts.get(status) ?? 0) + 1);
  const [status = 0, count = 0] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
  if (count < fewest || count < 0.03 * observations.length) return undefined;
  if (again(observations.map((one) => (one.status === status ? { ...one, status: 429 } : one))).tooStrict)
    return undefined;
  return { name: 'other-status', says: `answers ${status} where 429 is due (${count} times)` };
}

const none = ({ found }: Known): Kind | undefined => found.tooLax && { name: 'none', says: 'throttles nothing' };

/** Several operations that do not share one bucket. */
function byOperation({ observations, again }: Known): Kind | undefined {
  // Not Map.groupBy: k6 has none.
  const names = [...new Set(observations.map(({ operation }) => operation ?? 'others'))].sort();
  if (names.length < 2) return undefined;
  const groups = names.map((name) => observations.filter(({ operation }) => (operation ?? 'others') === name));
  const free = names.filter(
    (_, i) => (groups[i] ?? []).filter(isAdmitted).length >= fewest && !groups[i]?.some(isThrottled),
  );
  const limited = groups.filter((all) => all.filter(isThrottled).length > all.length / 5).length;
  if (free.length > 0 && limited > 0)
    return { name: 'unlimited-operation', says: `does not limit ${free.join(', ')}, but other operations` };
  // Each keeps the limit by itself: a limit that all share would throttle some of them for the others' requests.
  if (groups.some((all) => again(all).tooLax || again(all).tooStrict)) return undefined;
  return { name: 'per-operation', says: 'has a limit for each operation, not for the key' };
}

/** The first requests of a rested key are throttled, and that explains all that were throttled too early. */
function startsEmpty({ observations, again }: Known): Kind | undefined {
  const first = observations.reduce((one, other) => (other.doneAt < one.doneAt ? other : one));
  if (!isThrottled(first) || again(observations, false).tooStrict) return undefined;
  return { name: 'starts-empty', says: 'starts empty: the first requests of a rested key are throttled' };
}

/** Only where every 429 is excused by it, and the first after each rest has none before it that could have taken anything. */
function takeTokens({ limit, observations, again }: Known): Kind | undefined {
  if (!throttledTakeTokens(limit, observations)) return undefined;
  const full = (1.01 * limit.burst) / limit.perSecond;
  const unexcused = restedRuns(inOrder(observations), limit, full).some(
    (part) => again(untilFirstThrottled(part)).tooStrict,
  );
  // What was refused counts as having taken a token, and so does a 429 here.
  const alsoTaking = observations.filter(isThrottled).map((one) => ({ ...one, status: 403 }));
  if (unexcused || again([...observations, ...alsoTaking]).tooStrict) return undefined;
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

const rounds = 5;

/**
 * Whether throttled requests seem to take tokens as well. The contract does not say that they may not, so a 429 that only they
 * excuse breaks nothing. Where they do, a throttled request leaves an empty bucket behind: of the requests sent soon after one, no
 * more are admitted than such a bucket would have admitted, at moments that fit what the network did. A hint, and no proof.
 */
function throttledTakeTokens({ perSecond, burst }: Limit, observations: readonly Observation[]): boolean {
  const decided = inOrder(observations.filter(({ status }) => admissionOf(status) !== 'unknown'));
  const quickest = Math.min(...decided.map(({ sentAt, doneAt }) => doneAt - sentAt));
  // Sent within ten tokens' time after a throttled one, and not together with it.
  const token = 1000 / perSecond;
  let throttledAt = Number.NEGATIVE_INFINITY;
  const soon = decided.map(({ sentAt, status }) => {
    const since = sentAt - throttledAt;
    if (admissionOf(status) === 'throttled') throttledAt = sentAt;
    return since >= 0.2 * token && since < 10 * token;
  });
  if (throttledAt === Number.NEGATIVE_INFINITY) return false;

  let passed = 0;
  for (let round = 0; round < rounds; round += 1) {
    // The quickest round trip half there and half back, and what it took beyond that shared out as if drawn.
    const drawn = decided.map(({ sentAt, doneAt }, index) => {
      // k6 and browsers need no generator for it.
      const product = Math.sin(index * 12.9898 + round * 78.233) * 43758.5453;
      return { at: sentAt + quickest / 2 + (product - Math.floor(product)) * (doneAt - sentAt - quickest), index };
    });
    // What a right bucket admits, where each throttled request takes what is left.
    let [tokens, last] = [burst, Number.NEGATIVE_INFINITY];
    for (const { at, index } of drawn.sort((a, b) => a.at - b.at)) {
      tokens = Math.min(burst, tokens + ((at - last) * perSecond) / 1000);
      last = at;
      if (tokens >= 1 && soon[index]) passed += 1;
      tokens = Math.max(0, tokens - 1);
    }
  }
  const expected = passed / rounds;
  const admitted = decided.filter((one, index) => soon[index] && admissionOf(one.status) === 'admitted').length;
  return admitted <= 1.15 * expected + 2 * Math.sqrt(expected) + 0.05 * soon.filter(Boolean).length;
}
