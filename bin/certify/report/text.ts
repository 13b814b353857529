import { counted } from '../../../conformance/counted.ts';
import { outcomeWord, type Paint, plain } from '../../../conformance/reports/console.ts';
import { evidenceOf, ruleWords } from '../../../conformance/reports/failures.ts';
import { withoutControls } from '../../../spec/text/terminal-text.ts';
import { durationInWords } from '../../../spec/text/time-in-words.ts';
import { type ClientReport, type ClientRow, casesText } from './client-report.ts';

const colours = { certified: 'green', 'not-certified': 'red', incomplete: 'yellow' } as const;

/** The report for a terminal: each finding with what to do, the least scopes, the verdict. */
export function clientTextReport(untrusted: ClientReport, paint: Paint = plain): string {
  const report = withoutControls(untrusted);
  const { rows, verdict, sentence, scopes, notes, runs, operations } = report;
  const seen = rows.filter(({ outcome }) => ['fail', 'error', 'warn', 'inconclusive'].includes(outcome));
  // What an interruption left undecided is said once.
  const shown = seen.filter(
    ({ outcome, message }, n) => outcome !== 'inconclusive' || seen.findIndex((row) => row.message === message) === n,
  );
  const observed = rows.filter(({ outcome }) => outcome === 'observed');
  const requests = Object.values(operations).reduce((sum, count) => sum + count, 0);
  const ran = runs === 0 ? '' : `${counted(runs, 'run')} of ${report.subject}; `;
  return [
    ...shown.flatMap((row) => ['', ...findingLines(report, row, paint)]),
    ...(observed.length > 0 ? ['', paint('bold', 'The client fails here, and reports it')] : []),
    ...observed.map((row) => `  ${paint('cyan', casesText(row) || row.id)}: ${row.message}`),
    ...(notes.length > 0 ? ['', ...notes.map((note) => `Note: ${note}`)] : []),
    '',
    paint(
      'dim',
      `${ran}${counted(requests, 'request')} in an unvaried run; took ${durationInWords(report.durationMilliseconds)}`,
    ),
    `Least scopes: ${paint('bold', scopes.line)}`,
    `${paint([colours[verdict], 'bold'], verdict.replace('-', ' '))}: ${sentence}`,
    '',
  ].join('\n');
}

function findingLines(report: ClientReport, row: ClientRow, paint: Paint): string[] {
  const { rule, applied, broken, outcome } = row;
  const [first] = evidenceOf(report, row);
  const all = casesText(row);
  const where =
    first === undefined ? [] : [`  sent      ${first.exchange.curl}`, `  when      ${whenOf(report, first.exchange)}`];
  const seen =
    first === undefined
      ? [`  seen      ${row.message}`]
      : [
          `  expected  ${first.expected}`,
          `  observed  ${first.observed}`,
          ...(all === '' ? [] : [`  with      ${all}`]),
          ...(all === '' && broken > 0 && broken < applied ? [`  in        ${broken} of ${applied}`] : []),
        ];
  return [
    `${outcomeWord(outcome, paint)} ${paint('bold', row.id)}`,
    `  contract  ${rule.text}`,
    paint('dim', `            ${ruleWords(row)}`),
    ...seen,
    ...where,
    `  do        ${row.advice}`,
    ...(row.again === null ? [] : [`  again     ${row.again}`]),
  ];
}

/** The variation, and the time since certify started. */
const whenOf = (
  { startedAt }: Pick<ClientReport, 'startedAt'>,
  { script, sentAt }: ClientReport['exchanges'][number],
): string => `${script}, +${durationInWords(Math.max(0, sentAt - Date.parse(startedAt)))}`;
