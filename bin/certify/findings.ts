import { faultOf, judgedSafely, type LawResult, type Outcome } from '../../conformance/verdict/judge.ts';
import { type RuleId, ruleById } from '../../spec/rules.ts';
import type { Duty } from './duties/duty.ts';
import type { Traffic } from './traffic.ts';

/** `duty`: judged by the requests of the client. `fault`, `freedom`: judged by how the client handled a variation. */
type Kind = 'duty' | 'fault' | 'freedom';

/** One row of a report on a client. */
export interface ClientResult extends LawResult {
  readonly kind: Kind;
  /** What to do when something is wrong. */
  readonly advice: string;
  /** The command that reproduces the result; null for recordings. */
  readonly again: string | null;
  /** The end of the output of a command that failed. */
  readonly output: string | null;
}

/** A broken documented must is a failure; any other broken rule is a warning. */
export function brokenOutcome(rule: RuleId): Outcome {
  const { provenance, level } = ruleById(rule);
  return provenance === 'documented' && level === 'must' ? 'fail' : 'warn';
}

/** Judges the traffic of a client by one duty. Never throws. */
export const judgeDuty = ({ rule, title, advice, needs, judge }: Duty, traffic: readonly Traffic[]): ClientResult => ({
  id: rule,
  rule,
  title,
  kind: 'duty',
  advice,
  again: null,
  output: null,
  ...judgedSafely(
    () => judge(traffic),
    (finding) =>
      faultOf(finding, brokenOutcome(rule)) ??
      (finding.applied === 0
        ? {
            outcome: 'not-run',
            message: `the client sent too little to tell: it takes ${needs ?? 'a request that this applies to'}`,
          }
        : { outcome: 'pass', message: title }),
  ),
});
