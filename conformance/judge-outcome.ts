import { type RuleId, ruleById } from '../spec/rules.ts';
import type { Check } from './check.ts';
import type { Exchange } from './evidence.ts';
import { Changed, type CheckResult, Inconclusive, NotRun, type Outcome, Unexpected } from './outcome.ts';

export interface Ran {
  /** What ended the check; undefined when it came to its end. */
  readonly thrown: unknown;
  readonly answers: readonly string[];
  readonly exchanges: readonly Exchange[];
  /** Milliseconds. */
  readonly duration: number;
}

/**
 * What a check that ran comes to. Only a documented rule can be broken; of all others the deployment's own way is an
 * observation, whatever it is.
 */
export function judgeOutcome({ id, rule, title }: Pick<Check, 'id' | 'rule' | 'title'>, ran: Ran): CheckResult {
  const { thrown, answers, exchanges, duration } = ran;
  const result = (
    outcome: Outcome,
    message: string,
    expected: string | null = null,
    observed: string | null = null,
  ) => ({
    id,
    rule,
    outcome,
    message,
    expected,
    observed,
    duration,
    exchanges,
  });
  if (thrown instanceof Unexpected) {
    const found = result(broken(rule), thrown.message, thrown.expected, thrown.observed);
    return thrown.final ? { ...found, final: true } : found;
  }
  if (thrown instanceof Changed) return { ...result('inconclusive', thrown.message), changed: true };
  if (thrown instanceof Inconclusive) return result('inconclusive', thrown.message);
  if (thrown instanceof NotRun) return result('not-run', thrown.message);
  if (thrown !== undefined) {
    return result(
      'error',
      `the runner itself broke: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : thrown}`,
    );
  }
  const said = answers.join('; ') || title;
  return result(ruleById(rule).provenance === 'documented' ? 'pass' : 'observed', said);
}

function broken(id: RuleId): Outcome {
  const { provenance, level } = ruleById(id);
  if (provenance !== 'documented') return 'observed';
  return level === 'must' ? 'fail' : 'warn';
}
