import { type RuleId, ruleById, rules } from '../../spec/rules.ts';
import { answersTo } from './answers/index.ts';
import { evidenceIn } from './evidence.ts';
import { Evidence, type Law } from './law.ts';

/** The law of a rule: what the history shows of it, and what it answers where the rule leaves something open. */
export const lawByEvidence = (rule: RuleId): Law => ({
  id: rule,
  title: ruleById(rule).rule,
  judge(history) {
    const { kept, failures, unclear } = evidenceIn(history).get(rule) ?? new Evidence();
    const open = answersTo(rule, history);
    // Another answer to an open question is an answer, however often it was refused before.
    const breaches = [...failures, ...open.breaches];
    const isAnswered = ruleById(rule).provenance !== 'documented' && open.applied > 0;
    return {
      ...open,
      applied: Math.max(kept + failures.length, open.applied),
      breaches,
      unclear: breaches.length > 0 || isAnswered ? [] : unclear,
    };
  },
});

/** Every rule that conformance verifies, in the order of the contract. */
export const laws: readonly Law[] = rules
  .filter(({ verification }) => verification.includes('conformance'))
  .map(({ id }) => lawByEvidence(id));
