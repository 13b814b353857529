import { withoutControls } from '../../../spec/text/terminal-text.ts';
import { counted } from '../../counted.ts';
import { outcomeWord, type Paint, plain } from '../../reports/console.ts';
import { durationInWords } from '../../reports/duration-in-words.ts';
import { evidenceOf } from '../../reports/evidence-of.ts';
import type { ClientReport, ClientRow } from './client-report-schema.ts';

const colours = { certified: 'green', 'not-certified': 'red', incomplete: 'yellow' } as const;

/** What a person reads when a client was judged: each finding with what to do, the least scopes, the verdict. */
export function clientTextReport(found: ClientReport, paint: Paint = plain): string {
  const report = withoutControls(found);
  const { rows, verdict, sentence, scopes, notes, runs, operations } = report;
  const shown = rows.filter(({ outcome }) => ['fail', 'error', 'warn', 'inconclusive'].includes(outcome));
  const honest = rows.filter(({ outcome }) => outcome === 'observed');
  const requests = Object.values(operations).reduce((sum, count) => sum + count, 0);
  const ran = runs === 0 ? '' : `${counted(runs, 'run')} of ${report.subject}; `;
  return [
    ...shown.flatMap((row) => ['', ...findingLines(report, row, paint)]),
    ...(honest.length > 0 ? ['', paint('bold', 'Fails here, and says so')] : []),
    ...honest.map(({ id, message }) => `  ${paint('cyan', id)}: ${message}`),
    ...(notes.length > 0 ? ['', ...notes.map((note) => `Note: ${note}`)] : []),
    '',
    `Least scopes: ${paint('bold', scopes.line)}`,
    `${paint([colours[verdict], 'bold'], verdict.replace('-', ' '))}: ${sentence}`,
    paint(
      'dim',
      `${ran}${counted(requests, 'request')} as it is; took ${durationInWords(report.durationMilliseconds)}`,
    ),
    '',
  ].join('\n');
}

function findingLines(report: ClientReport, row: ClientRow, paint: Paint): string[] {
  const { rule, applied, broken, outcome } = row;
  const [first] = evidenceOf(report, row);
  const where =
    first === undefined ? [] : [`  sent      ${first.exchange.curl}`, `  when      ${whenOf(report, first.exchange)}`];
  const seen =
    first === undefined
      ? [`  seen      ${row.message}`]
      : [
          `  expected  ${first.expected}`,
          `  observed  ${first.observed}`,
          ...(broken > 0 && broken < applied ? [`  in        ${broken} of ${applied}`] : []),
        ];
  return [
    `${outcomeWord(outcome, paint)} ${paint('bold', row.id)}`,
    `  contract  ${rule.text}`,
    paint('dim', `            ${rule.id}, section ${rule.section}, ${rule.provenance}, ${rule.level}`),
    ...seen,
    ...where,
    `  do        ${row.advice}`,
    ...(row.again === null ? [] : [`  again     ${row.again}`]),
  ];
}

/** In which run, and how long after its beginning. */
const whenOf = (
  { startedAt }: Pick<ClientReport, 'startedAt'>,
  { situation, sentAt }: ClientReport['exchanges'][number],
): string => `${situation}, +${durationInWords(Math.max(0, sentAt - Date.parse(startedAt)))}`;
