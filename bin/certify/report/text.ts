import { counted } from '../../../conformance/counted.ts';
import { listed, type Paint, plain, rowLines } from '../../../conformance/reports/console.ts';
import { evidenceOf, factsOf } from '../../../conformance/reports/failures.ts';
import { terminalLine, withoutControls } from '../../../spec/text/terminal-text.ts';
import { durationInWords } from '../../../spec/text/time-in-words.ts';
import { withoutSignature } from '../../../spec/text/without-signature.ts';
import { wrapped } from '../../../spec/text/wrapped.ts';
import { type ClientReport, type ClientRow, casesText, findingsIn, unjudgedIn, verdictWords } from './client-report.ts';

const colours = { certified: 'green', 'not-certified': 'red', incomplete: 'yellow' } as const;

/** The report for a terminal: each finding with what to do, the least scopes, the verdict. */
export function clientTextReport(untrusted: ClientReport, paint: Paint = plain): string {
  const report = withoutControls(untrusted);
  // Lines of the client stay lines, and none of them begins as one of ours.
  const quoted = (output: string) => output.split('\n').map((line) => `| ${terminalLine(line)}`);
  for (const [i, row] of untrusted.rows.entries())
    Object.assign(report.rows[i] ?? {}, { output: row.output && quoted(row.output).join('\n') });
  const { rows, verdict, sentence, scopes, notes, runs, operations } = report;
  const observed = rows.filter(({ outcome }) => outcome === 'observed');
  const { groups: unjudged, hint } = unjudgedIn(report);
  const found = findingsIn(rows);
  const toMend = verdict === 'not-certified' && found.length > 1 ? found : [];
  const requests = Object.values(operations).reduce((sum, count) => sum + count, 0);
  const ran = `${runs === 0 ? '' : `${counted(runs, 'run')} of ${report.subject}; `}${counted(requests, 'request')} in an unvaried run`;
  return [
    ...found.flatMap(({ remedy, row, others }) =>
      // What could not be judged for one reason is said once.
      row.outcome === 'inconclusive'
        ? rowBlock(report, row, others, row.advice, paint)
        : [row, ...others].flatMap((one) => rowBlock(report, one, [], remedy, paint)),
    ),
    ...(observed.length > 0 ? ['', paint('bold', 'The client fails here, and reports it')] : []),
    ...observed.map((row) => listed(row.message, [casesText(row) || row.id], paint)),
    ...(unjudged.length > 0 ? ['', paint('bold', 'Not run'), listed(hint, [], paint)] : []),
    ...unjudged.map(({ text, ids }) => listed(text, ids, paint)),
    ...(toMend.length > 0 ? ['', paint('bold', 'What to mend')] : []),
    ...toMend.map(({ words, row }, i) => `  ${i + 1}. ${row.id} (${words})`),
    ...(notes.length > 0 ? ['', ...notes.map((note) => `Note: ${note}`)] : []),
    '',
    paint('dim', `${ran}; took ${durationInWords(report.durationMilliseconds)}`),
    wrapped(`Least scopes: ${scopes.line}`, '  ', paint),
    wrapped(`${verdictWords(report)}: ${sentence}`, '  ', paint).replace(verdictWords(report), (words) =>
      paint([colours[verdict], 'bold'], words),
    ),
    '',
  ].join('\n');
}

function rowBlock(report: ClientReport, row: ClientRow, others: readonly ClientRow[], remedy: string, paint: Paint) {
  const [found] = evidenceOf(report, row);
  // What was done to the client is in the message.
  const evidence = found && row.kind !== 'duty' ? { ...found, observed: row.message } : found;
  const { curl = '', script = '', sentAt = 0, operation, method, url = '' } = evidence?.exchange ?? {};
  // The output that breaks a duty is its evidence.
  const isPrinted = row.kind === 'duty' && row.output !== null;
  const sent = operation === 'storage' ? `${method} ${withoutSignature(url)} (a URL for that run only)` : curl;
  const facts = [
    ['also', others.map(({ id }) => id).join(', ')],
    ...factsOf(row, evidence, casesText(row) || (row.broken > 1 ? `${row.broken} of ${row.applied} times` : '')),
    ['printed', row.output ?? ''],
    // A request shows nothing of the pause before it.
    ['sent', isPrinted || /\d m?s$/.test(evidence?.observed ?? '') ? '' : sent],
    // The variation, and the time since certify started.
    ['when', script && `${script} run, after ${durationInWords(Math.max(0, sentAt - Date.parse(report.startedAt)))}`],
    ['do', remedy],
    ['again', row.again ?? ''],
  ] as const;
  return ['', ...rowLines(row, facts, paint)];
}
