import type { Judgement } from '../spec/limiter/judge.ts';
import type { Observation } from '../spec/limiter/observation.ts';

/** Every request of the run against the limiter, times in ms since the epoch, and what they prove. */
export interface MeasuredLimiter {
  readonly samples: readonly Observation[];
  readonly judgement: Judgement;
}
