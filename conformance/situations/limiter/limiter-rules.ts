import type { RuleId } from '../../../spec/rules.ts';

/** Rules that every measurement of a limiter gives evidence for. */
export const limiterRules: readonly RuleId[] = [
  'limiter/over-the-rate-is-429',
  'limiter/429-has-retry-after',
  'limiter/429-body-is-one-message',
  'limiter/waiting-retry-after-suffices',
  'limiter/steady-rate',
  'limiter/burst',
  'limiter/burst-reading',
  'limiter/clustering-gains-nothing',
];
