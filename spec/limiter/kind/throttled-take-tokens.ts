import { admissionOf } from '../admission.ts';
import type { Limit } from '../limit.ts';
import type { Observation } from '../observation.ts';

const rounds = 5;

/**
 * Whether throttled requests seem to take tokens as well. The contract does not say that they may not, so a 429 that only they
 * excuse breaks nothing. Where they do, a throttled request leaves an empty bucket behind: of the requests sent soon after one, no
 * more are admitted than such a bucket would have admitted, at moments that fit what the network did. A hint, and no proof.
 */
export function throttledTakeTokens(limit: Limit, observations: readonly Observation[]): boolean {
  const decided = observations
    .filter(({ status }) => admissionOf(status) !== 'unknown')
    .sort((a, b) => a.sentAt - b.sentAt);
  if (!decided.some(isThrottled)) return false;
  const soon = sentSoonAfterThrottled(limit, decided);
  const admitted = decided.filter((one, index) => soon[index] && admissionOf(one.status) === 'admitted').length;
  const expected = Array.from({ length: rounds }, (_, round) => {
    const passed = admittedByTaking(limit, drawnDecisions(decided, round));
    return soon.filter((is, index) => is && passed[index]).length / rounds;
  }).reduce((a, b) => a + b);
  return admitted <= 1.15 * expected + 2 * Math.sqrt(expected) + 0.05 * soon.filter(Boolean).length;
}

/** A moment for each request: the quickest round trip half there and half back, and what it took beyond that shared out as if drawn. */
function drawnDecisions(observations: readonly Observation[], round: number): number[] {
  const quickest = Math.min(...observations.map(({ sentAt, doneAt }) => doneAt - sentAt));
  return observations.map(({ sentAt, doneAt }, index) => {
    // k6 and browsers need no generator for it.
    const product = Math.sin(index * 12.9898 + round * 78.233) * 43758.5453;
    return sentAt + quickest / 2 + (product - Math.floor(product)) * (doneAt - sentAt - quickest);
  });
}

const isThrottled = ({ status }: Observation) => admissionOf(status) === 'throttled';

/** Which requests were sent within ten tokens' time after a throttled one, and not together with it. */
function sentSoonAfterThrottled({ perSecond }: Limit, inOrder: readonly Observation[]): boolean[] {
  const token = 1000 / perSecond;
  let throttledAt = Number.NEGATIVE_INFINITY;
  return inOrder.map((one) => {
    const since = one.sentAt - throttledAt;
    if (isThrottled(one)) throttledAt = one.sentAt;
    return since >= 0.2 * token && since < 10 * token;
  });
}

/** What a right bucket admits of requests decided at these moments, where each throttled one takes what is left. */
function admittedByTaking({ perSecond, burst }: Limit, decidedAt: readonly number[]): boolean[] {
  const admits: boolean[] = [];
  let [tokens, last] = [burst, Number.NEGATIVE_INFINITY];
  for (const { at, index } of decidedAt.map((at, index) => ({ at, index })).sort((a, b) => a.at - b.at)) {
    tokens = Math.min(burst, tokens + ((at - last) * perSecond) / 1000);
    last = at;
    admits[index] = tokens >= 1;
    tokens = Math.max(0, tokens - 1);
  }
  return admits;
}
