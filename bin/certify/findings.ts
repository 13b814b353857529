import { faultOf, judgedSafely, type LawResult, type Outcome } from '../../conformance/verdict/judge.ts';
import { type RuleId, ruleById } from '../../spec/rules.ts';
import { durationInWords } from '../../spec/text/time-in-words.ts';
import { surplus, type TenantState } from './client-mock.ts';
import { type Duty, findingOf } from './duties/duty.ts';
import type { ClientRow } from './report/client-report.ts';
import type { ClientRun } from './run-client.ts';
import { maxAttempts, pathOf, stillTrying, type Traffic } from './traffic.ts';
import type { Used, Variation } from './variations/variation.ts';

/** The judgement of a duty, by the requests of the client, or of a fault or freedom, by how the client handled it. */
export type ClientResult = LawResult & Pick<ClientRow, 'kind' | 'advice' | 'cases' | 'again' | 'output'>;

/** A broken documented must is a failure; any other broken rule is a warning. */
function brokenOutcome(rule: RuleId): Outcome {
  const { provenance, level } = ruleById(rule);
  return provenance === 'documented' && level === 'must' ? 'fail' : 'warn';
}

const unseen = { cases: {}, again: null, output: null };

/** Judges the traffic of a client by one duty. Never throws. */
export const judgeDuty = (duty: Duty, traffic: readonly Traffic[]): ClientResult => {
  const { rule, advice, needs = 'send a request to the API' } = duty;
  return {
    id: rule,
    rule,
    title: ruleById(rule).rule,
    kind: 'duty',
    advice,
    ...unseen,
    output: duty.printed?.(traffic) ?? null,
    ...judgedSafely(
      () => findingOf(duty, traffic),
      (finding) =>
        faultOf(finding, brokenOutcome(rule)) ??
        (finding.applied === 0
          ? { outcome: 'not-run', message: `it did not ${needs}` }
          : { outcome: 'pass', message: ruleById(rule).rule }),
    ),
  };
};

/** The row of a variation that the client handles. @param applied the number of parts that were tried */
export function handled({ id, rule, when, kind, advice, ends }: Variation, applied: number): ClientResult {
  const message = ends ? 'reports the failure, or recovers' : `copes when ${when()}`;
  const title = `when ${when()}`;
  return { id, rule, title, kind, advice, ...unseen, outcome: 'pass', message, finding: { applied, breaches: [] } };
}

/** The row of a variation that does not affect the client, or not this deployment. */
export function notConcerned(variation: Variation, used: Used): ClientResult {
  const { needs = 'send a request that succeeds', parts, when } = variation;
  const isSettled = Object.keys(parts({ ...used, profile: undefined })).length > 0;
  const message = isSettled ? `the profile says what comes when ${when()}` : `it did not ${needs}`;
  return { ...handled(variation, 0), outcome: 'not-run', message };
}

export function undecided(row: ClientResult, message: string): ClientResult {
  return { ...row, outcome: 'inconclusive', message };
}

/**
 * The row of a varied run with which something is wrong; undefined if nothing is. A failure that the client may report is `observed`.
 * @param parts what was varied. A row of several is about all of them at once
 * @param reference the state that an unvaried run leaves; null if that differs
 */
export function judgeRun(
  variation: Variation,
  parts: readonly string[],
  { ended, succeeded, state, attempts, values, traffic: { requests } }: ClientRun,
  reference: TenantState | null,
): ClientResult | undefined {
  const { id, kind, when, gives, ends = false } = variation;
  const only = parts.length === 1 ? parts[0] : undefined;
  const row = (did: string, expected: string, observed: string, more: Partial<ClientResult> = {}): ClientResult => {
    // The request with the fault is the best evidence. Without one, the last request is shown.
    const exchange = requests.find(({ fault }) => fault) ?? requests.at(-1);
    const note = gives && `given the id "${values[gives]}", it sent ${exchange?.method} ${pathOf(exchange?.url ?? '')}`;
    return {
      ...handled(variation, 1),
      ...(only !== undefined && { id: `${id}/${only}`, cases: { [id]: [only] } }),
      outcome: brokenOutcome(more.rule ?? variation.rule),
      message: `${did} when ${when(only)}${did.endsWith(observed) ? '' : `: ${observed}`}`,
      finding: { applied: 1, breaches: exchange ? [{ exchange, expected, observed, ...(note && { note }) }] : [] },
      output: excerpt(ended.output),
      ...more,
    };
  };
  const compared = variation.keepsState === false || reference === null ? state : reference;
  const [more, less] = [surplus(state, compared), surplus(compared, state)];
  // Only a fault makes a client repeat itself. A run that fails may stop before it undoes a change, and so leave one that the reference has not.
  const twice = more.filter((change) => (succeeded && kind === 'fault') || compared.includes(change));
  if (twice.length > 0) {
    const observed = `${listOf(twice)} too much`;
    const advice =
      'Before you repeat a request that is not idempotent, check whether it was executed. A 409 says that it was.';
    return row(`leaves ${observed}`, 'every write once', observed, { rule: 'client/does-once', advice });
  }
  if (succeeded && more.length > 0)
    return row('does something else', 'the same changes', `${listOf(more)} in place of ${listOf(less) || 'nothing'}`);
  if (succeeded && less.length > 0) {
    const observed = `exit code 0, and ${listOf(less)} is missing`;
    return row('reports success', 'a reported failure', observed, { rule: 'client/tells-failures' });
  }
  if (succeeded) return undefined;
  if (ends && attempts > maxAttempts) {
    const observed = `no end after ${attempts} attempts`;
    return row('does not end', 'an end of attempts', observed, { rule: 'client/ends-retrying' });
  }
  if (ended.timedOut) {
    const endless = row('does not end', 'the command ends', `no end after ${durationInWords(ended.milliseconds)}`);
    return ends && attempts > 1 ? undecided(endless, stillTrying(attempts)) : endless;
  }
  if (ends) {
    if (more.length === 0) return undefined;
    const observed = `${listOf(more)} half-way`;
    const advice = 'Continue from there the next time, or undo it.';
    const excused = { rule: 'client/does-once', outcome: 'observed', advice } as const;
    return row(`leaves ${observed}`, 'nothing half done', observed, excused);
  }
  const excused = only !== undefined && variation.mayFail?.(only);
  return row('fails', 'success', endOf(ended), excused ? { outcome: 'observed' } : {});
}

/** How a command ended: `exit code 1`, `ended by SIGTERM`. */
export const endOf = ({ code, signal }: ClientRun['ended']) =>
  code === null ? `ended by ${signal}` : `exit code ${code}`;

const listOf = (things: readonly string[]) =>
  things.length > 2 ? `${things.slice(0, 2).join(', ')} and ${things.length - 2} more` : things.join(' and ');

/** One row for all that one remedy mends: a client that never tries again lacks one thing, not fifteen. */
export function byRemedy(rows: readonly ClientResult[]): ClientResult[] {
  const isSeen = ({ outcome, cases }: ClientResult) => outcome !== 'inconclusive' && Object.keys(cases).length > 0;
  const groups = Map.groupBy(rows, (row) => (isSeen(row) ? `${row.outcome}, ${row.rule}: ${row.advice}` : row.id));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined || group.length === 1) return group;
    const cases: Record<string, string[]> = {};
    for (const row of group)
      for (const [id, parts] of Object.entries(row.cases)) cases[id] = [...(cases[id] ?? []), ...parts];
    const breaches = group.flatMap(({ finding }) => finding.breaches);
    return { ...first, cases, finding: { applied: group.length, breaches } };
  });
}

/** The largest number of lines of output in a report. */
const maxLines = 12;

/** Of the output of a command the lines from its first error on, and the last ones, half of them each. What is left out is a line of its own. */
export function excerpt(output: string): string | null {
  // Where Node itself was says nothing of the client, nor does a line without a word.
  const lines = output
    .trimEnd()
    .split('\n')
    .filter((line) => /[\p{L}\d]/u.test(line) && !/^\s+at .*node:internal/.test(line));
  const error = lines.findIndex((line) => /(error|exception)\b.*:|traceback|panic|fatal/i.test(line));
  const from = error < 0 ? Math.max(0, lines.length - maxLines) : error;
  const isShown = (i: number) => i >= from && (i < from + maxLines / 2 || i >= lines.length - maxLines / 2);
  const shown = lines.flatMap((line, i) => (isShown(i) ? line : i === 0 || isShown(i - 1) ? '[…]' : []));
  return shown.join('\n') || null;
}
