import { admissionOf } from '../admission.ts';
import type { Limit } from '../limit.ts';
import type { Observation } from '../observation.ts';

/**
 * Whether throttled requests seem to take tokens as well. The contract does not say that they may not, so a 429 that only they
 * excuse breaks nothing. Where they do, a throttled request leaves an empty bucket behind, and what is admitted after it was
 * refilled since. By the times of sending: a hint, that a network of much jitter may hide.
 */
export function throttledTakeTokens({ perSecond }: Limit, observations: readonly Observation[]): boolean {
  const inOrder = [...observations].sort((a, b) => a.sentAt - b.sentAt);
  let throttledAt: number | undefined;
  let [since, late, soon] = [0, 0, 0];
  for (const { sentAt, status } of inOrder) {
    const admission = admissionOf(status);
    if (admission === 'throttled') [throttledAt, since] = [sentAt, 0];
    if (admission !== 'admitted' || throttledAt === undefined) continue;
    // Sent together, decided in any order.
    if (sentAt - throttledAt < 200 / perSecond) continue;
    since += 1;
    if (since > (1.2 * perSecond * (sentAt - throttledAt)) / 1000) soon += 1;
    else late += 1;
  }
  return throttledAt !== undefined && soon <= 0.2 * (soon + late);
}
