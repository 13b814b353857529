import type { Limit } from './limit.ts';
import { admissionOf, inOrder, type Observation } from './observation.ts';

const rounds = 5;

/**
 * Whether throttled requests seem to take tokens as well. The contract does not say that they may not, so a 429 that only they
 * excuse breaks nothing. Where they do, a throttled request leaves an empty bucket behind: of the requests sent soon after one, no
 * more are admitted than such a bucket would have admitted, at moments that fit what the network did. A hint, and no proof.
 */
export function throttledTakeTokens({ perSecond, burst }: Limit, observations: readonly Observation[]): boolean {
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
