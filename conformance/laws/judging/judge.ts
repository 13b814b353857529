import { type RuleId, ruleById } from '../../../spec/rules.ts';
import type { History } from '../../history/history.ts';
import { missingHolders } from '../../target/records.ts';
import type { Breach, Finding, Law } from './law.ts';

/**
 * `fail`: a documented must is broken; `warn`: a documented should is broken; `observed`: the answer to an open question;
 * `inconclusive`: the law could not decide; `not-run`: nothing happened that the law applies to.
 */
export type Outcome = 'pass' | 'fail' | 'warn' | 'observed' | 'inconclusive' | 'not-run' | 'not-selected' | 'error';

/** The judgement of a history by one law. */
export interface LawResult {
  readonly id: string;
  readonly rule: RuleId;
  readonly title: string;
  readonly outcome: Outcome;
  /** One sentence: what was seen, or why nothing could be seen. */
  readonly message: string;
  readonly finding: Finding;
}

/** Judges a history by one law. Never throws. */
export function judgeBy(law: Law, history: History): LawResult {
  const { id, rule, title } = law;
  let finding: Finding;
  try {
    finding = law.judge(history);
  } catch (error) {
    const message = `a bug of partnerkit, please report it: ${error instanceof Error ? (error.stack ?? error.message) : error}`;
    return { id, rule, title, outcome: 'error', message, finding: { applied: 0, breaches: [] } };
  }
  const { outcome, message } = outcomeOf(law, finding, history);
  return { id, rule, title, outcome, message, finding };
}

function outcomeOf(
  { id, rule, title }: Law,
  finding: Finding,
  history: History,
): { readonly outcome: Outcome; readonly message: string } {
  const { applied, breaches, unclear = [], answers = [] } = finding;
  const { provenance, level } = ruleById(rule);
  const [first] = breaches;
  if (first !== undefined) {
    const outcome = provenance !== 'documented' ? 'observed' : level === 'must' ? 'fail' : 'warn';
    return { outcome, message: breachWords(first, breaches.length, applied) };
  }
  if (unclear.length > 0) return { outcome: 'inconclusive', message: [...new Set(unclear)].join('; ') };
  if (applied === 0) {
    const why = reasons(rule, history);
    // If other situations for this rule ran, and none had a usable reply, the options of the run are not the reason. An aspect may need what
    // only the situations that were left out send.
    const isLeftOut = why.length > 0 && why.every(({ reason }) => reason === 'not-selected');
    const unselected = isLeftOut && !(id === rule && history.exercised.includes(rule));
    const words = [...new Set(why.flatMap((one) => one.why))];
    return {
      outcome: unselected ? 'not-selected' : 'not-run',
      message:
        unselected || (words.length > 0 && !isLeftOut) ? `it needs ${words.join('; ')}` : whyNothingHappened(history),
    };
  }
  const message = answers.length > 0 ? [...new Set(answers)].join('; ') : title;
  return { outcome: provenance === 'documented' ? 'pass' : 'observed', message };
}

/** No skipped situation names a missing field, so the records and tenants are missing from which situations are generated. */
function whyNothingHappened({ known: { target } }: History): string {
  const [tenant, stranger] = target.tenants;
  const missing = [
    ...(tenant === undefined ? [] : missingHolders(tenant, 0).map(({ field }) => field)),
    ...(tenant?.spareLabel ? [] : ['tenants[0].spareLabel']),
    ...(stranger ? [] : ['tenants[1]']),
  ];
  return missing.length > 0
    ? `it needs one of these of the target file: ${missing.join(', ')}`
    : 'nothing happened in this run that the law applies to';
}

/** `broken in 4 of 28: expected ...; observed ...` */
export function breachWords({ expected, observed }: Breach, broken: number, applied: number): string {
  const share =
    broken >= applied ? (applied > 1 ? `broken in all ${applied}` : 'broken') : `broken in ${broken} of ${applied}`;
  return `${share}: expected ${expected}; observed ${observed}`;
}

const reasons = (rule: RuleId, { skipped }: History) => skipped.filter(({ feeds }) => feeds.includes(rule));
