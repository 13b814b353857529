import type { Judgement, Sample } from '../spec/rate-limit.ts';

/** Every request of the run against the limiter, times in ms since the epoch, and what they prove. */
export interface MeasuredLimiter {
  readonly samples: readonly Sample[];
  readonly judgement: Judgement;
}
