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
  /** Is not asked for again: nobody else can have done it, or what was done is done for good. */
  readonly final?: true;
  /** It could not be asked for again: what it is about is not what it was. */
  readonly changed?: true;
}

/** Ends a check: the deployment did something else than the rule says. */
export class Unexpected extends Error {
  readonly expected: string;
  readonly observed: string;
  readonly final: boolean;

  /** @param final whether it is not asked for again: nobody else can have done it, or what was done is done for good */
  constructor(expected: string, observed: string, { final = false } = {}) {
    super(`expected ${expected}; observed ${observed}`);
    this.expected = expected;
    this.observed = observed;
    this.final = final;
  }
}

/** Ends a check: it could not tell. */
export class Inconclusive extends Error {}

/** Ends a check that is repeated: what was done before has changed what it is about. */
export class Changed extends Inconclusive {}

/** Ends a check before anything is sent: the target file does not give what it needs. */
export class NotRun extends Error {}
