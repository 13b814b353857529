import { styleText } from 'node:util';
import { withoutControls } from '../../spec/text/terminal-text.ts';
import { counted } from '../counted.ts';
import {
  againOf,
  type Fact,
  type Failure,
  factsOf,
  failuresIn,
  measuredFor,
  remediesOf,
  ruleWords,
} from './failures.ts';
import { bucketEvidence } from './html/limiter-strip.ts';
import type { Report, ReportRow } from './report-schema.ts';
import { missedWords, outcomeWords, sectionsOf, tookText } from './sections.ts';

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

/** A terminal shows this many lines of a list; files show all. */
const maxLines = 10;

/** The report for a terminal: each failure with its evidence, what could not be judged and why, the verdict. @param json path of the JSON report that the run writes */
export function consoleReport(untrusted: Report, paint: Paint = plain, json?: string): string {
  const report = withoutControls(untrusted);
  const { rows, limiter, verdict } = report;
  const colour = ({ conformant: 'green', 'non-conformant': 'red', incomplete: 'yellow' } as const)[verdict];
  const section = (title: string, lines: readonly string[]) => [
    '',
    paint('bold', title),
    ...lines.map((line) => `  ${line}`),
  ];
  const answers = rows.filter(({ outcome }) => outcome === 'observed').length;
  return [
    ...failuresIn(report).flatMap((one) => ['', ...problem(one, report, paint, json)]),
    ...sectionsOf(report).flatMap(({ title, items }) => {
      const lines = items.map(({ ids, text }) => {
        const named =
          ids.length > maxLines ? counted(ids.length, 'rule') : ids.map((id) => paint('bold', id)).join(', ');
        return named === '' ? text : `${named}: ${text}`;
      });
      const more = lines.length - maxLines;
      const shown = more > 0 ? [...lines.slice(0, maxLines), `and ${more} more, see --report html=FILE`] : lines;
      return section(title, shown);
    }),
    ...(answers === 0
      ? []
      : ['', `${counted(answers, 'answer')} to what the specification leaves open: see --report html=FILE`]),
    ...(limiter === null
      ? []
      : ['', `${paint('bold', 'Limiter')} ${limiter.judgement.verdict}: ${limiter.judgement.reason}`]),
    '',
    `${paint([colour, 'bold'], verdict)}: ${report.sentence}`,
    paint('dim', summary(report)),
    '',
  ].join('\n');
}

function problem(one: Failure, { limiter, target }: Report, paint: Paint, json?: string): string[] {
  const { row, others, evidence, where } = one;
  const measured = measuredFor(one, limiter);
  const sent = evidence?.requests.map(({ curl }) => curl);
  const facts: Fact[] = [
    ['also', others.map(({ id }) => id).join(', ')],
    ...factsOf(row, bucketEvidence(one, measured), where),
    ['while', evidence?.exchange.script ?? ''],
    ...worded('sent', sent),
    ...worded('do', remediesOf(one)),
    ['again', row.outcome === 'error' ? '' : againOf(one, target, json)],
  ];
  return rowLines(row, facts, paint);
}

const worded = (word: string, texts: readonly string[] = []) =>
  texts.map((text, i): Fact => [i === 0 ? word : '', text]);

/** A row: its outcome, its rule, and what is known of it, each with its word. */
export const rowLines = (
  row: Pick<ReportRow, 'id' | 'outcome' | 'rule'> & { readonly waived?: boolean },
  facts: readonly Fact[],
  paint: Paint,
): string[] => [
  `${paint(styles[row.outcome], row.outcome.padEnd(12))} ${paint('bold', row.id)}${row.waived ? ' (waived)' : ''}`,
  `  rule      ${row.rule.text}`,
  paint('dim', `            ${ruleWords(row)}`),
  ...facts.filter(([, text]) => text !== '').map(([word, text]) => `  ${word.padEnd(9)} ${text}`),
];

function summary({ target, requests, ...report }: Report): string {
  const total = Object.values(requests).reduce((sum, count) => sum + count, 0);
  const sent = `${counted(total, 'request')} to ${target.baseUrl}`;
  return `${outcomeWords(report)}; ${sent}; ${tookText(report)}\n${missedWords(report.rows)}`;
}
