import { styleText } from 'node:util';
import { withoutControls } from '../../spec/text/terminal-text.ts';
import { counted } from '../counted.ts';
import { byCause, evidenceOf, ruleWords, whereWords } from './evidence-of.ts';
import { leftAdvice } from './left-in.ts';
import { missedWords } from './missed.ts';
import { leftOutWords, missingLines, thinLines } from './missing-fields.ts';
import type { Report, ReportRow } from './report-schema.ts';
import { tookInWords } from './took-in-words.ts';

/** A colour or another style of a terminal, as Node names it. */
export type Style = Parameters<typeof styleText>[0];

/** Colours a text where the terminal shows colours. */
export type Paint = (style: Style, text: string) => string;

/** @param stream whether it is a terminal decides about colours, together with NO_COLOR and FORCE_COLOR */
export const paintFor =
  (stream: NodeJS.WriteStream): Paint =>
  (style, text) =>
    styleText(style, text, { stream });

/** Colours nothing. */
export const plain: Paint = (_, text) => text;

const styles: Readonly<Record<ReportRow['outcome'], Style>> = {
  fail: ['red', 'bold'],
  error: ['red', 'bold'],
  inconclusive: 'yellow',
  'not-run': 'yellow',
  warn: 'yellow',
  observed: 'cyan',
  pass: 'green',
  'not-selected': 'dim',
};

/** The outcome in its colour, padded so that the words after it line up. */
export const outcomeWord = (outcome: ReportRow['outcome'], paint: Paint) => paint(styles[outcome], outcome.padEnd(12));

/** The report for a terminal: each failure with its evidence, what could not be judged and why, the verdict. */
export function consoleReport(untrusted: Report, paint: Paint = plain): string {
  const report = withoutControls(untrusted);
  const { rows, waivers, limiter, verdict } = report;
  const having = (...outcomes: ReportRow['outcome'][]) => rows.filter(({ outcome }) => outcomes.includes(outcome));
  const leftOut = leftOutWords(rows);
  const colour = ({ conformant: 'green', 'non-conformant': 'red', incomplete: 'yellow' } as const)[verdict];
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', paint('bold', title), ...lines.map((line) => `  ${line}`)];
  const lines = [
    ...byCause(having('fail', 'error', 'warn')).flatMap((rows) => ['', ...problem(report, rows, paint)]),
    ...having('inconclusive').flatMap(({ id, outcome, message }) => [
      '',
      `${outcomeWord(outcome, paint)} ${id}`,
      `  ${message}`,
    ]),
    ...section('Not run: the target file lacks', missingLines(report)),
    ...section('Would also be judged with', thinLines(report)),
    ...section('Answers to what the specification leaves open, in full in each report file', answerLines(rows, paint)),
    ...(limiter === null
      ? []
      : ['', `${paint('bold', 'Limiter')} ${limiter.judgement.verdict}: ${limiter.judgement.reason}`]),
    ...section('Not always available', availabilityLines(report)),
    ...section(`Left behind: ${leftAdvice(report.left)}`, report.left),
    ...section(
      'Waivers',
      waivers.map(
        ({ id, state, reason, owner, expires }) => `${state.padEnd(10)} ${id}: ${reason} (${owner}, until ${expires})`,
      ),
    ),
    '',
    `${paint([colour, 'bold'], verdict)}: ${report.sentence}`,
    paint('dim', summary(report)),
    ...(leftOut === '' ? [] : [`left out, and what they need: ${leftOut}`]),
    '',
  ];
  return lines.join('\n');
}

/** Characters. */
const maxAnswer = 90;

/** A short line for each answer to an open question, and how many are as assumed. */
function answerLines(rows: readonly ReportRow[], paint: Paint): string[] {
  const answers = rows.filter(({ outcome }) => outcome === 'observed');
  const told = answers.filter(({ message, title }) => message !== title);
  const others = answers.length - told.length;
  return [
    ...told.map(
      ({ id, message }) =>
        `${paint('cyan', id)}: ${message.length > maxAnswer ? `${message.slice(0, maxAnswer)}…` : message}`,
    ),
    ...(others > 0 ? [`${counted(others, 'answer')} as assumed`] : []),
  ];
}

function problem(report: Report, rows: readonly ReportRow[], paint: Paint): string[] {
  const [row, ...others] = rows;
  if (row === undefined) return [];
  const { rule, applied, broken } = row;
  const [first] = evidenceOf(report, row);
  const share = broken > 0 && broken < applied ? [`in        ${broken} of ${applied}`] : [];
  const seen =
    first === undefined
      ? [row.message]
      : [
          `expected  ${first.expected}`,
          `got       ${first.observed}`,
          ...(first.counted === null ? share : [`in        ${first.counted}`]),
          ...(whereWords(rows) === '' ? [] : [`where     ${whereWords(rows)}`]),
          `while     ${first.exchange.script}`,
        ];
  return [
    `${outcomeWord(row.outcome, paint)} ${paint('bold', row.id)}${row.waived ? ' (waived)' : ''}`,
    `  rule      ${rule.text}`,
    paint('dim', `            ${ruleWords(row)}`),
    ...(others.length > 0 ? [`  also      ${others.map(({ id }) => id).join(', ')}`] : []),
    ...seen.map((line) => `  ${line}`),
    ...(first === undefined ? [] : [...first.others, first.exchange].map(({ curl }) => `  ${curl}`)),
  ];
}

function availabilityLines({ availability }: Report): string[] {
  return availability.map(({ operation, requests, errors, lost, throttled }) => {
    const parts = [
      ...(errors > 0 ? [`${errors} answered 5xx`] : []),
      ...(lost > 0 ? [`${lost} not answered`] : []),
      ...(throttled > 0 ? [`${throttled} throttled below the rate`] : []),
    ];
    return `${operation}: of ${counted(requests, 'request')} ${parts.join(', ')}`;
  });
}

function summary({ target, requests, outcomes, ...report }: Report): string {
  const total = Object.values(requests).reduce((sum, count) => sum + count, 0);
  const counts = Object.entries(outcomes)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count} ${outcome}`);
  return `${counts.join(', ')}; ${counted(total, 'request')} to ${target.baseUrl}; ${tookInWords(report)}\n${missedWords(report.rows)}`;
}
