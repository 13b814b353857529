import type { ClientResult } from '../../conformance/certification/index.ts';
import { brokenOutcome } from '../../conformance/certification/index.ts';
import type { Breach } from '../../conformance/laws/judging/law.ts';
import { durationInWords } from '../../conformance/reports/duration-in-words.ts';
import type { RuleId } from '../../spec/rules.ts';
import type { ClientRun } from './run-client.ts';
import { surplus, type TenantState } from './tenant-state.ts';
import type { Variation } from './variations/variation.ts';

/** What is wrong with a run in which something was varied; undefined where nothing is. */
export interface Wrong {
  readonly rule: RuleId;
  readonly expected: string;
  readonly observed: string;
  /** It failed, said so, and may: nothing to warn of. */
  readonly excused: boolean;
  /** In place of what the variation advises. */
  readonly advice?: string;
}

/** What an unvaried run leaves. */
export interface Reference {
  readonly end: TenantState;
  /** All that was there at some time: a failure may leave it half-way. */
  readonly passed: TenantState;
}

/** How a run went. @param reference null where unvaried runs leave this and that */
export function wrongWith(
  { ended, succeeded, state }: ClientRun,
  variation: Pick<Variation, 'rule' | 'ends' | 'mayFail' | 'within' | 'keepsState'>,
  part: string,
  reference: Reference | null,
): Wrong | undefined {
  const compared = variation.keepsState === false ? null : reference;
  const more = compared === null ? [] : surplus(state, succeeded ? compared.end : compared.passed);
  const less = compared === null ? [] : surplus(compared.end, state);
  if (more.length > 0) {
    return {
      rule: 'client/does-once',
      expected: 'what was asked for, once',
      observed: `${list(more)} too much`,
      excused: false,
      advice: 'Look before you send again what is not idempotent, and take a 409 for what it is.',
    };
  }
  if (succeeded && less.length > 0) {
    const observed = `exit code 0, and ${list(less)} is missing`;
    return { rule: 'client/tells-failures', expected: 'a failure that is told', observed, excused: false };
  }
  if (succeeded) return undefined;
  const { rule, within } = variation;
  if (ended.timedOut) {
    const observed = `no end after ${durationInWords(ended.milliseconds)}`;
    return { rule, expected: 'an end', observed, excused: within !== undefined };
  }
  const how = ended.code === null ? `ended by ${ended.signal}` : `exit code ${ended.code}`;
  if (variation.ends) {
    const left = compared === null ? [] : surplus(state, compared.end);
    if (left.length === 0) return undefined;
    const observed = `${list(left)} half-way`;
    const advice = 'Go on from there the next time, or take it back.';
    return { rule: 'client/does-once', expected: 'nothing half done', observed, excused: true, advice };
  }
  return { rule, expected: 'success', observed: how, excused: variation.mayFail?.(part) ?? false };
}

const list = (things: readonly string[]) =>
  things.length > 2 ? `${things.slice(0, 2).join(', ')} and ${things.length - 2} more` : things.join(' and ');

/** The row of a variation, or of one part of it, that went wrong. @param again the command that shows it */
export function wrongRow(
  variation: Variation,
  part: string | null,
  run: ClientRun,
  wrong: Wrong,
  { subject, again }: { readonly subject: string; readonly again: string },
): ClientResult {
  const { id, kind, title, when, advice, test } = variation;
  const shown = part ?? 'one of its requests';
  const did = wrong.observed.startsWith('exit code 0')
    ? `says that all went well when ${when(shown)}: ${wrong.observed}`
    : wrong.rule === 'client/does-once'
      ? `leaves ${wrong.observed} when ${when(shown)}`
      : wrong.observed.startsWith('no end')
        ? `does not end when ${when(shown)}: ${wrong.observed}`
        : `fails when ${when(shown)} (${wrong.observed})`;
  const { requests } = run.traffic;
  // What was struck is the best evidence; otherwise the last that it did.
  const exchange = requests.find(({ fault }) => fault) ?? requests.at(-1);
  const breaches: Breach[] =
    exchange === undefined ? [] : [{ exchange, expected: wrong.expected, observed: wrong.observed }];
  return {
    id: part === null ? id : `${id}/${part}`,
    rule: wrong.rule,
    title,
    kind,
    outcome: wrong.excused ? 'observed' : brokenOutcome(wrong.rule),
    message: `${subject} ${did}`,
    finding: { applied: 1, breaches },
    advice: wrong.advice ?? advice,
    again,
    test: part === null ? null : (test?.(part) ?? null),
    output: lastLines(run.ended.output),
  };
}

/** Lines of output that a report shows. */
const maxLines = 20;

export function lastLines(output: string): string | null {
  const lines = output.trimEnd().split('\n').slice(-maxLines);
  return lines.join('\n').trim() === '' ? null : lines.join('\n');
}
