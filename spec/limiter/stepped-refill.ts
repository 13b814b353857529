import { type EnvelopeOptions, envelope, phaseSpan, type RefillClock } from './envelope.ts';
import type { Limit } from './limit.ts';
import { measuredIn } from './measure.ts';
import type { Observation } from './observation.ts';
import { proofs } from './proofs.ts';

/** In ms: the longest time without new tokens. */
const maxStep = 1000;

/**
 * Lengths of steps in ms. The contract says how many requests a second has, not how they are shared out within it: so a bucket may
 * get all tokens of a second at once, but not those of two.
 */
const lengths = [200, 250, 500, maxStep];

/** What a run shows of a bucket that gets its tokens in steps of at most a second, if such a bucket of this limit explains it. */
export function steppedRefill(limit: Limit, observations: readonly Observation[], options: EnvelopeOptions = {}) {
  const { perSecond, burst, drift = 0.001 } = limit;
  const [slow, fast] = [(perSecond * (1 - drift)) / 1000, (perSecond * (1 + drift)) / 1000];
  for (const every of lengths)
    for (let phase = 0; phase < every; phase += phaseSpan) {
      const clock: RefillClock = { every, phase };
      const known: Limit = { ...limit, tick: every };
      const run = envelope(observations, limit, options, clock);
      // A step larger than the bucket would lose tokens.
      if ((every * perSecond) / 1000 > burst || proofs(limit, run).tooStrict) continue;
      if (run.burstAtLeast(fast) < run.burstBelow(slow)) return { run, measured: measuredIn(run, known), known };
    }
  return undefined;
}
