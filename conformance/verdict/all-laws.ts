import { ruleById, rules } from '../../spec/rules.ts';
import { openRules } from './answers/index.ts';
import type { Law } from './law.ts';
import { lawByEvidence } from './laws.ts';
import { limiter } from './limiter-laws.ts';
import { uploadLaws } from './upload-answers.ts';

/** Laws that also answer open questions about uploads and the limiter. */
const answering = Map.groupBy([...uploadLaws, ...limiter], ({ rule }) => rule);

/** Every rule that conformance verifies, in the order of the contract. */
export const laws: readonly Law[] = rules
  .filter(({ verification }) => verification.includes('conformance'))
  .map(({ id }) => {
    const own = answering.get(id) ?? [];
    return own.length === 0 || openRules.has(id) ? joined([lawByEvidence(id), ...own]) : joined(own);
  });

/** A rule with several kinds of questions is still one law. */
function joined([first, ...others]: readonly Law[]): Law {
  if (first === undefined) throw new Error('no law');
  if (others.length === 0) return first;
  return {
    ...first,
    title: ruleById(first.rule).rule,
    judge(history) {
      const findings = [first, ...others].map((law) => law.judge(history));
      return {
        applied: findings.reduce((sum, one) => sum + one.applied, 0),
        breaches: findings.flatMap((one) => one.breaches),
        unclear: findings.flatMap((one) => one.unclear ?? []),
        answers: findings.flatMap((one) => one.answers ?? []),
        profile: findings.flatMap((one) => one.profile ?? []),
      };
    },
  };
}
