import { type RuleId, ruleById, rules } from '../../spec/rules.ts';
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

const areas = ['auth', 'scopes', 'isolation', 'context', 'transport', 'labels', 'errors', 'upload', 'service'];

/** Rules of these areas that other laws judge. */
const elsewhere: readonly RuleId[] = [
  'errors/internal-error',
  'service/clients-back-off',
  'service/resources',
  'upload/expired-url-is-refused',
  'upload/nothing-stored-before-registration',
  'labels/membership-is-a-set',
  'labels/private-cannot-be-removed',
  'labels/public-or-private',
];

/** The laws of all rules that scripts try. */
export const evidenceLaws: readonly Law[] = rules
  .filter(
    ({ id, provenance }) =>
      provenance === 'documented' && areas.includes(id.slice(0, id.indexOf('/'))) && !elsewhere.includes(id),
  )
  .map(({ id }) => lawByEvidence(id));
