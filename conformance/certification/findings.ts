import { type RuleId, ruleById } from '../../spec/rules.ts';
import { breachWords, type LawResult, type Outcome } from '../laws/judging/judge.ts';
import type { Finding } from '../laws/judging/law.ts';
import type { Duty } from './duties/duty.ts';
import type { Traffic } from './traffic.ts';

/** What a client was found to do: `duty`, by what it sent; `fault` and `freedom`, by how it took what came. */
export type Kind = 'duty' | 'fault' | 'freedom';

/** One row of a report on a client. */
export interface ClientResult extends LawResult {
  readonly kind: Kind;
  /** What to do where something is wrong. */
  readonly advice: string;
  /** Options of `partnerkit certify` that show it again; null where a recording cannot. */
  readonly again: string | null;
  /** A test that makes it happen, where there is one beside that. */
  readonly test: string | null;
  /** The end of what the command printed where it failed. */
  readonly output: string | null;
}

/** A broken rule of the contract: a documented must fails, all else warns. */
export function brokenOutcome(rule: RuleId): Outcome {
  const { provenance, level } = ruleById(rule);
  return provenance === 'documented' && level === 'must' ? 'fail' : 'warn';
}

/** Judges what a client sent by one duty. Never throws. */
export function judgeDuty({ rule, title, advice, judge }: Duty, traffic: readonly Traffic[]): ClientResult {
  const common = {
    id: rule,
    rule,
    title,
    kind: 'duty' as const,
    advice,
    again: null,
    test: null,
    output: null,
  };
  let finding: Finding;
  try {
    finding = judge(traffic);
  } catch (error) {
    const message = `the kit itself broke: ${error instanceof Error ? (error.stack ?? error.message) : error}`;
    return { ...common, outcome: 'error', message, finding: { applied: 0, breaches: [] } };
  }
  const { applied, breaches, unclear = [] } = finding;
  const [first] = breaches;
  if (first !== undefined) {
    return { ...common, outcome: brokenOutcome(rule), message: breachWords(first, breaches.length, applied), finding };
  }
  if (unclear.length > 0)
    return { ...common, outcome: 'inconclusive', message: [...new Set(unclear)].join('; '), finding };
  if (applied === 0)
    return { ...common, outcome: 'not-run', message: 'the client did nothing that it applies to', finding };
  return { ...common, outcome: 'pass', message: title, finding };
}
