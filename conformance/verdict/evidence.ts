import type { RuleId } from '../../spec/rules.ts';
import type { Exchange } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { withMadeKeys } from '../hooks/made-keys.ts';
import { perObject } from '../per-object.ts';
import { deploymentOf } from '../target/deployment.ts';
import { judgeSteps } from './steps.ts';
import { judgeReplies } from './suspicions.ts';
import { judgeTrials } from './trials.ts';

/** What a history shows of one rule. */
export interface Evidence {
  /** How often it was seen kept. */
  kept: number;
  readonly failures: Failure[];
  /** What nobody could explain: the rule is inconclusive then, never kept. */
  readonly unclear: string[];
}

/** A rule is broken: the exchange that shows it, and those before it that belong to it. */
export interface Failure {
  readonly exchange: Exchange;
  readonly expected: string;
  readonly observed: string;
  readonly with: readonly Exchange[];
}

/** What a history shows, by rule. A pure function of its exchanges: a trial is counted again, whatever the run thought of it. */
export const evidenceIn = perObject((history: History): ReadonlyMap<RuleId, Evidence> => {
  const deployment = deploymentOf(withMadeKeys(history.known.target, history.hooks));
  const byRule = new Map<RuleId, Evidence>();
  const evidenceOf = (rule: RuleId) => {
    const evidence = byRule.get(rule) ?? { kept: 0, failures: [], unclear: [] };
    byRule.set(rule, evidence);
    return evidence;
  };
  const { exchanges } = history;
  const replies = judgeReplies(exchanges, deployment, evidenceOf);
  const steps = judgeSteps(exchanges, deployment, evidenceOf);
  judgeTrials(exchanges, deployment, { replies, steps }, evidenceOf);
  return byRule;
});
