import { type RuleId, ruleById } from '../../spec/rules.ts';
import type { Law } from '../laws/judging/law.ts';
import { evidenceIn } from './evidence.ts';

/** The law of a rule that scripts try: what the history shows of it. */
export const lawByEvidence = (rule: RuleId): Law => ({
  id: rule,
  rule,
  title: ruleById(rule).rule,
  judge(history) {
    const { kept, failures, unclear } = evidenceIn(history).get(rule) ?? { kept: 0, failures: [], unclear: [] };
    return { applied: kept + failures.length, breaches: failures, unclear: failures.length > 0 ? [] : unclear };
  },
});
