import { styleText } from 'node:util';
import { capital } from '../../spec/report-page/markup.ts';
import { withoutControls } from '../../spec/text/terminal-text.ts';
import { wrapped } from '../../spec/text/wrapped.ts';
import { counted } from '../counted.ts';
import {
  againOf,
  type Fact,
  type Failure,
  factsOf,
  failuresIn,
  isMeasure,
  measuredFor,
  remediesOf,
  ruleWords,
} from './failures.ts';
import { bucketEvidence, limiterWords } from './html/limiter-strip.ts';
import { word } from './html/send-it.ts';
import type { Report, ReportRow } from './report-schema.ts';
import { cut } from './row-of.ts';
import { leftOutOf, missedWords, outcomeWords, sectionsOf, tookText, verdictWords } from './sections.ts';

/** A colour or another style of a terminal, as Node names it. */
export type Style = Parameters<typeof styleText>[0];

/** Colours a text where the terminal shows colours. Lines are broken only where it has columns. */
export type Paint = ((style: Style, text: string) => string) & { readonly columns?: number };

/** @param stream whether it is a terminal decides about colours, together with NO_COLOR and FORCE_COLOR */
export const paintFor = (stream: NodeJS.WriteStream): Paint =>
  Object.assign((style: Style, text: string) => styleText(style, text, { stream }), { columns: stream.columns });

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

/** A terminal shows this many lines of a list; files show all. */
const maxLines = 10;

/** The report for a terminal: each failure with its evidence, what could not be judged and why, the verdict. @param files paths of the reports that the run writes, by format */
export function consoleReport(
  untrusted: Report,
  paint: Paint = plain,
  files: { [format: string]: string } = {},
): string {
  const report = withoutControls(untrusted);
  const { rows, limiter } = report;
  const said = verdictWords(report);
  const colour = said === 'conformant' ? 'green' : said === 'non-conformant' ? 'red' : 'yellow';
  const requests = Object.values(report.requests).reduce((sum, count) => sum + count, 0);
  const sent = `${counted(requests, 'request')} to ${report.target.baseUrl}`;
  const page = files.html ?? '--report html=FILE';
  const choices = rows.filter(({ outcome }) => outcome === 'observed').length;
  return [
    ...failuresIn(report).flatMap((one) => ['', ...problem(one, report, paint, files.json)]),
    ...sectionsOf(report).flatMap(({ title, items }) => {
      const lines = items.map(({ ids, text }) =>
        listed(text, ids.length > maxLines ? [counted(ids.length, 'rule')] : ids, paint),
      );
      const more = lines.length > maxLines ? [`  And ${lines.length - maxLines} more: see ${page}`] : [];
      return ['', paint('bold', title), ...lines.slice(0, maxLines), ...more];
    }),
    ...(choices === 0 ? [] : ['', `${counted(choices, 'choice')} that the contract leaves to your API: see ${page}`]),
    // Another one is with the failures, or could not be judged.
    ...(limiter?.judgement.verdict === 'pass' ? [wrapped(`Limiter: ${limiterWords(limiter)}`, '  ', paint)] : []),
    '',
    wrapped(`${said}: ${report.sentence}`, '  ', paint).replace(said, (words) => paint([colour, 'bold'], words)),
    ...leftOutOf(report).words.map((words) => wrapped(capital(words), '  ', paint)),
    paint('dim', wrapped(`${outcomeWords(report)}; ${sent}; ${tookText(report)}\n${missedWords(rows)}`, '', paint)),
    '',
  ].join('\n');
}

function problem(one: Failure, { limiter, target }: Report, paint: Paint, json?: string): string[] {
  const { row, others, evidence, where } = one;
  const measured = measuredFor(one, limiter);
  // One request of many shows nothing of a limiter.
  const sent = isMeasure(row) ? [] : (evidence?.requests ?? []);
  const facts: Fact[] = [
    ['also', others.map(({ id, rule }) => `${id}: ${rule.text}`).join('\n')],
    ...factsOf(row, bucketEvidence(one, measured), where),
    ['sent', sent.map(({ curl }) => curl).join('\n')],
    ['reply', cut(sent.at(-1)?.body ?? '', 300)],
    ...remediesOf(one, limiter).map((text, i): Fact => [i === 0 ? 'do' : '', text]),
    ['again', row.outcome === 'error' ? '' : againOf(one, target, json)],
  ];
  return rowLines(row, facts, paint);
}

/** What stands before the lines of a fact, but the first. */
const margin = ' '.repeat(13);

/** Commands that run as printed: a line ends between words, not between an option and its value, and a backslash says that it goes on. */
const wrappedCommands = (text: string, { columns }: Paint): string => {
  const lines = text.split('\n').map((line) => {
    const parts = (line.match(word) ?? []).map((one) => one.replaceAll(' ', '\0')).join(' ');
    const whole = parts.replace(/(?<= -\S*) /g, '\0');
    // The backslash needs room.
    const most = { columns: columns && columns - 2 };
    return wrapped(whole, `${margin}  `, most).replaceAll('\n', ' \\\n').replaceAll('\0', ' ');
  });
  return lines.join(`\n${margin}`);
};

/** A line of a list: what is said of these ids. */
export const listed = (text: string, ids: readonly string[], paint: Paint): string =>
  wrapped(`  ${capital(text)}${ids.length === 0 ? '' : `: ${ids.join(', ')}`}`, '    ', paint);

/** A row: its outcome, its rule, and what is known of it, each with its word. What a command printed is not broken into lines. */
export const rowLines = (
  row: Pick<ReportRow, 'id' | 'outcome' | 'rule'> & { readonly waived?: boolean },
  facts: readonly Fact[],
  paint: Paint,
): string[] => [
  `${paint(styles[row.outcome], row.outcome.padEnd(12))} ${paint('bold', row.id)}${row.waived ? ' (waived)' : ''}`,
  `  rule       ${wrapped(row.rule.text, margin, paint)}`,
  paint('dim', `${margin}${wrapped(ruleWords(row), margin, paint)}`),
  ...facts
    .filter(([, text]) => text !== '')
    .map(([about, text]) => {
      const isCommand = ['sent', 'again'].includes(about);
      const shown = isCommand
        ? wrappedCommands(text, paint)
        : wrapped(text, margin, about === 'printed' ? plain : paint);
      return `  ${about.padEnd(10)} ${shown}`;
    }),
];
