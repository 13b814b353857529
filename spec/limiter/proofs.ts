import { type Envelope, EPSILON } from './envelope.ts';
import type { Judgement } from './judge.ts';
import { type Limit, largestBurst } from './limit.ts';

/** The window most over the limit, and the 429 that is hardest to explain. */
export type Proofs = Pick<Judgement, 'tooLax' | 'tooStrict'>;

/** The faults that no timing of the network explains. */
export function proofs(limit: Limit, run: Envelope): Proofs {
  const { perSecond, burst, drift = 0.001, tick = 0 } = limit;
  const fast = (perSecond * (1 + drift)) / 1000;
  const { from, to, admitted } = run.crowd(fast);
  const allowed = largestBurst(limit) + fast * (to - from + tick) + EPSILON;
  const refusal = run.refuse((perSecond * (1 - drift)) / 1000);
  const tokens = burst - refusal.taken;
  const window = { from: from + run.origin, to: to + run.origin, admitted, allowed: Math.floor(allowed) };
  return {
    ...(admitted > allowed && { tooLax: window }),
    ...(tokens >= 1 && { tooStrict: { at: refusal.at + run.origin, tokens } }),
  };
}
