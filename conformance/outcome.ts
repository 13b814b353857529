import type { RuleId } from '../spec/rules.ts';
import type { Exchange } from './evidence.ts';

/**
 * What came of one check. `fail`: a must is broken; `warn`: a should is broken; `observed`: an answer to an open question;
 * `inconclusive`: it ran and could not tell; `not-run`: the target file lacks something it needs; `error`: the runner broke.
 */
export type Outcome = 'pass' | 'fail' | 'warn' | 'observed' | 'inconclusive' | 'not-run' | 'not-selected' | 'error';

export interface CheckResult {
  readonly id: string;
  readonly rule: RuleId;
  readonly outcome: Outcome;
  /** One sentence: what was seen, or why nothing could be. */
  readonly message: string;
  /** Given with `fail` and `warn`, and where an open question was answered otherwise than we assume. */
  readonly expected: string | null;
  readonly observed: string | null;
  /** Milliseconds. */
  readonly duration: number;
  readonly exchanges: readonly Exchange[];
}

/** Ends a check: the deployment did something else than the rule says. */
export class Unexpected extends Error {
  readonly expected: string;
  readonly observed: string;

  constructor(expected: string, observed: string) {
    super(`expected ${expected}; observed ${observed}`);
    this.expected = expected;
    this.observed = observed;
  }
}

/** Ends a check: it could not tell. */
export class Inconclusive extends Error {}

/** Ends a check before anything is sent: the target file does not give what it needs. */
export class NotRun extends Error {}
