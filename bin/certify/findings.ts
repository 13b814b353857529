import { faultOf, judgedSafely, type LawResult, type Outcome } from '../../conformance/verdict/judge.ts';
import { type RuleId, ruleById } from '../../spec/rules.ts';
import type { Duty } from './duties/duty.ts';
import type { Wrong } from './judge-run.ts';
import type { ClientRun } from './run-client.ts';
import type { Traffic } from './traffic.ts';
import type { Used, Variation } from './variations/variation.ts';

/** Variations by id, each with the parts of it in which something was seen. */
export type Cases = Readonly<Record<string, readonly string[]>>;

/** One row of a report on a client. */
export interface ClientResult extends LawResult {
  /** `duty`: judged by the requests of the client. `fault`, `freedom`: judged by how the client handled a variation. */
  readonly kind: 'duty' | 'fault' | 'freedom';
  /** What to do when something is wrong. */
  readonly advice: string;
  readonly cases: Cases;
  /** The command that reproduces the result; null for recordings. */
  readonly again: string | null;
  /** The end of the output of a command that failed. */
  readonly output: string | null;
}

/** A broken documented must is a failure; any other broken rule is a warning. */
function brokenOutcome(rule: RuleId): Outcome {
  const { provenance, level } = ruleById(rule);
  return provenance === 'documented' && level === 'must' ? 'fail' : 'warn';
}

const unseen = { cases: {}, again: null, output: null };

/** Judges the traffic of a client by one duty. Never throws. */
export const judgeDuty = ({ rule, advice, needs, judge }: Duty, traffic: readonly Traffic[]): ClientResult => ({
  id: rule,
  rule,
  title: ruleById(rule).rule,
  kind: 'duty',
  advice,
  ...unseen,
  ...judgedSafely(
    () => judge(traffic),
    (finding) =>
      faultOf(finding, brokenOutcome(rule)) ??
      (finding.applied === 0
        ? {
            outcome: 'not-run',
            message: `the client sent too little to tell: it takes ${needs ?? 'a request that this applies to'}`,
          }
        : { outcome: 'pass', message: ruleById(rule).rule }),
  ),
});

/** The row of a variation that the client handles. @param applied the number of parts that were tried */
export function handled({ id, rule, when, kind, advice, ends }: Variation, applied: number): ClientResult {
  const message = ends ? 'reports the failure, or recovers' : `copes when ${when()}`;
  const title = `when ${when()}`;
  return { id, rule, title, kind, advice, ...unseen, outcome: 'pass', message, finding: { applied, breaches: [] } };
}

export function notConcerned(variation: Variation, used: Used): ClientResult {
  const settled = used.profile !== undefined && variation.parts({ ...used, profile: undefined }).length > 0;
  const message = settled
    ? 'known: the profile says what this deployment does'
    : 'the client uses nothing that this varies';
  return { ...handled(variation, 0), outcome: 'not-run', message };
}

export const undecided = (row: ClientResult, message: string): ClientResult => ({
  ...row,
  outcome: 'inconclusive',
  message,
});

/** The row of a variation that the client does not handle. @param part null for all parts at once */
export function unhandled(
  variation: Variation,
  part: string | null,
  { traffic: { requests }, ended }: ClientRun,
  { rule, expected, observed, excused, advice = variation.advice }: Wrong,
): ClientResult {
  const { id, kind, when } = variation;
  const varied = when(part ?? undefined);
  const did = observed.startsWith('exit code 0')
    ? `reports success when ${varied}: ${observed}`
    : rule === 'client/does-once'
      ? `leaves ${observed} when ${varied}`
      : observed.startsWith('no end')
        ? `does not end when ${varied}: ${observed}`
        : `fails when ${varied} (${observed})`;
  // The request with the fault is the best evidence. Without one, the last request is shown.
  const exchange = requests.find(({ fault }) => fault) ?? requests.at(-1);
  return {
    id: part === null ? id : `${id}/${part}`,
    rule,
    title: `when ${when()}`,
    kind,
    outcome: excused ? 'observed' : brokenOutcome(rule),
    message: did,
    finding: { applied: 1, breaches: exchange === undefined ? [] : [{ exchange, expected, observed }] },
    advice,
    cases: part === null ? {} : { [id]: [part] },
    again: null,
    output: lastLines(ended.output),
  };
}

/** One row for all that one remedy mends: a client that never tries again lacks one thing, not fifteen. */
export function byRemedy(rows: readonly ClientResult[]): ClientResult[] {
  const isSeen = ({ outcome, cases }: ClientResult) => outcome !== 'inconclusive' && Object.keys(cases).length > 0;
  const groups = Map.groupBy(rows, (row) => (isSeen(row) ? `${row.outcome}, ${row.rule}: ${row.advice}` : row.id));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const pairs = group.flatMap((row) => Object.entries(row.cases));
    const cases = Object.fromEntries(
      [...Map.groupBy(pairs, ([id]) => id)].map(([id, of]) => [id, of.flatMap(([, parts]) => parts)]),
    );
    const breaches = group.flatMap(({ finding }) => finding.breaches);
    return {
      ...first,
      cases,
      finding: { ...first.finding, applied: Math.max(first.finding.applied, group.length), breaches },
    };
  });
}

/** The largest number of lines of output in a report. */
const maxLines = 20;

export function lastLines(output: string): string | null {
  const lines = output.trimEnd().split('\n').slice(-maxLines);
  return lines.join('\n').trim() === '' ? null : lines.join('\n');
}
