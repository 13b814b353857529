import { type RuleId, ruleById, rules } from '../../spec/rules.ts';
import type { Law } from '../laws/judging/law.ts';
import { answersTo, openRules } from './answers/index.ts';
import { evidenceIn } from './evidence.ts';

/** The law of a rule that scripts try: what the history shows of it, and what it answers where the rule leaves something open. */
export const lawByEvidence = (rule: RuleId): Law => ({
  id: rule,
  rule,
  title: ruleById(rule).rule,
  judge(history) {
    const { kept, failures, unclear } = evidenceIn(history).get(rule) ?? { kept: 0, failures: [], unclear: [] };
    const open = openRules.has(rule) ? answersTo(rule, history) : { applied: 0, breaches: [] };
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

const areas = ['auth', 'scopes', 'isolation', 'context', 'transport', 'labels', 'errors', 'service'];

/** Rules of these areas that other laws judge. */
const elsewhere: readonly RuleId[] = [
  'errors/internal-error',
  'service/clients-back-off',
  'service/resources',
  'labels/membership-is-a-set',
  'labels/public-or-private',
];

/** Of other areas, those that scripts try. */
const more: readonly RuleId[] = [
  'keys/created-with-name-and-scopes',
  'keys/secret-shown-only-once',
  'keys/regeneration-issues-a-new-secret',
  'keys/revocation-is-immediate-and-listed',
  'limiter/limits-can-be-raised',
];

/** The laws of the rules that scripts try, apart from uploads. */
export const evidenceLaws: readonly Law[] = rules
  .filter(
    ({ id, provenance }) =>
      more.includes(id) ||
      (provenance === 'documented' && areas.includes(id.slice(0, id.indexOf('/'))) && !elsewhere.includes(id)),
  )
  .map(({ id }) => lawByEvidence(id));
