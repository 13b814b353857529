import { type RuleId, ruleById, rules } from '../../spec/rules.ts';
import type { History } from '../history/history.ts';
import { missingHolders } from '../target/records.ts';
import { evidenceIn } from './evidence.ts';
import { type Breach, brokenIn, Evidence, type Finding, type Law } from './law.ts';
import { areaOf, leftOut, type Selection } from './selection.ts';

/**
 * `fail`: a documented must is broken; `warn`: a documented should is broken; `observed`: the answer to an open question;
 * `inconclusive`: the law could not decide; `not-run`: nothing happened that the law applies to.
 */
export type Outcome = (typeof outcomes)[number];

/** Every outcome, in the order of reports. */
export const outcomes = [
  'fail',
  'error',
  'warn',
  'inconclusive',
  'observed',
  'pass',
  'not-run',
  'not-selected',
] as const;

/** The number of results by outcome. */
export const countOutcomes = (results: readonly { readonly outcome: Outcome }[]): Record<Outcome, number> =>
  Object.fromEntries(
    outcomes.map((outcome) => [outcome, results.filter((result) => result.outcome === outcome).length]),
  ) as Record<Outcome, number>;

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

/** What came out, and why. */
type Judged = Pick<LawResult, 'outcome' | 'message'>;

export const lawOf = (rule: RuleId): Law => ({ id: rule, title: ruleById(rule).rule });

/** Every rule that conformance verifies, in the order of the contract. */
export const laws: readonly Law[] = rules
  .filter(({ verification }) => verification.includes('conformance'))
  .map(({ id }) => lawOf(id));

/** Judges a history by every selected law. The result lists the other laws as `not-selected`. */
export function judgeHistory(history: History, selection: Selection = {}): LawResult[] {
  return laws.map((law) => {
    const message = leftOut(law, selection);
    if (message === null) return judgeBy(law, history);
    const { id, title } = law;
    return { id, rule: id, title, outcome: 'not-selected', message, finding: { applied: 0, breaches: [] } };
  });
}

/** Judges a history by one law. Never throws. @param find what the history shows */
export const judgeBy = (law: Law, history: History, find = () => findingOf(law.id, history)): LawResult => ({
  id: law.id,
  rule: law.id,
  title: law.title,
  ...judgedSafely(find, (finding) => outcomeOf(law, finding, history)),
});

/** What a history shows of a rule, and answers where the rule leaves something open. Pure: the same history gives the same finding. */
function findingOf(rule: RuleId, history: History): Finding {
  const { kept, asked, failures: breaches, unclear, ...open } = evidenceIn(history).get(rule) ?? new Evidence();
  const isAnswered = ruleById(rule).provenance !== 'documented' && asked > 0;
  return {
    ...open,
    applied: Math.max(kept + brokenIn(breaches).length, asked),
    breaches,
    unclear: breaches.length > 0 || isAnswered ? [] : unclear,
  };
}

/** A finding with its outcome. An error of the judge is an outcome too. */
export function judgedSafely(
  judge: () => Finding,
  outcomeOf: (finding: Finding) => Judged,
): Judged & { finding: Finding } {
  let finding: Finding;
  try {
    finding = judge();
    // A reply may show several breaches.
    finding = { ...finding, applied: Math.max(finding.applied, brokenIn(finding.breaches).length) };
  } catch (error) {
    const message = `a bug of partnerkit, please report it: ${error instanceof Error ? (error.stack ?? error.message) : error}`;
    return { outcome: 'error', message, finding: { applied: 0, breaches: [] } };
  }
  return { ...outcomeOf(finding), finding };
}

/** Of a finding with breaches or doubts; null where there are neither. @param broken the outcome of a breach */
export function faultOf({ applied, breaches, unclear = [] }: Finding, broken: Outcome): Judged | null {
  const [first] = breaches;
  if (first !== undefined) return { outcome: broken, message: breachWords(first, brokenIn(breaches).length, applied) };
  return unclear.length > 0 ? { outcome: 'inconclusive', message: [...new Set(unclear)].join('; ') } : null;
}

function outcomeOf({ id, title }: Law, finding: Finding, history: History): Judged {
  const { applied, answers = [] } = finding;
  const { provenance, level } = ruleById(id);
  const fault = faultOf(finding, provenance !== 'documented' ? 'observed' : level === 'must' ? 'fail' : 'warn');
  if (fault !== null) return fault;
  if (applied === 0) {
    const why = history.skipped.filter(({ tries }) => tries.includes(id));
    // If other scripts for this rule ran, and none had a usable reply, the options of the run are not the reason.
    const isLeftOut = why.length > 0 && why.every(({ reason }) => reason === 'not-selected');
    const unselected = isLeftOut && !history.exercised.includes(id);
    const stopped = why.filter(({ reason }) => reason === 'stopped');
    const words = [...new Set((stopped.length > 0 ? stopped : why).flatMap((one) => one.why))].join('; ');
    const needs = unselected || (words !== '' && !isLeftOut);
    return {
      outcome: unselected ? 'not-selected' : 'not-run',
      message: stopped.length > 0 ? words : needs ? `it needs ${words}` : whyNothingHappened(id, history),
    };
  }
  const message = answers.length > 0 ? [...new Set(answers)].join('; ') : title;
  return { outcome: provenance === 'documented' ? 'pass' : 'observed', message };
}

/** No skipped script names a missing field, so the records and tenants are missing from which scripts are generated, or a broken rule may have withheld what was asked for. */
function whyNothingHappened(id: RuleId, history: History): string {
  const [tenant, stranger] = history.known.target.tenants;
  const missing = [
    ...(tenant === undefined ? [] : missingHolders(tenant, 0).map(({ field }) => field)),
    ...(tenant?.spareLabel ? [] : ['tenants[0].spareLabel']),
    ...(stranger ? [] : ['tenants[1]']),
  ];
  if (missing.length > 0) return `it needs one of these of the target file: ${missing.join(', ')}`;
  const area = areaOf({ id });
  const [first, ...more] = laws.filter(
    (one) => areaOf(one) === area && evidenceIn(history).get(one.id)?.failures.length,
  );
  if (first === undefined) return 'nothing happened in this run that the rule applies to';
  const others = more.length === 0 ? ', which is broken,' : ` and ${more.length} more broken rules of its area`;
  return `mend ${first.id}${others} first; until then not judged`;
}

/** `broken in 4 of 28: expected ...; observed ...` */
function breachWords({ expected, observed }: Breach, broken: number, applied: number): string {
  const share =
    broken >= applied ? (applied > 1 ? `broken in all ${applied}` : 'broken') : `broken in ${broken} of ${applied}`;
  return `${share}: expected ${expected}; observed ${observed}`;
}
