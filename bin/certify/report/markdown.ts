import { durationInWords } from '../../../conformance/reports/duration-in-words.ts';
import { evidenceOf } from '../../../conformance/reports/evidence-of.ts';
import { icons } from '../../../conformance/reports/markdown.ts';
import { code, fenced, fitting, inline } from '../../../conformance/reports/markup/markdown-text.ts';
import type { ClientReport, ClientRow } from './client-report-schema.ts';

/** Markdown for the summary of a CI step: what to fix first, then everything that was tried. Never over 1 MiB, the limit of GitHub. */
export function clientMarkdownReport(report: ClientReport): string {
  const { rows, verdict, sentence, subject, scopes, notes } = report;
  const icon = { certified: '✅', 'not-certified': '❌', incomplete: '❔' }[verdict];
  const wrong = rows.filter(({ outcome }) => ['fail', 'error', 'inconclusive', 'warn'].includes(outcome));
  return fitting([
    `## ${icon} ${verdict.replace('-', ' ')}: ${inline(sentence)}\n\n`,
    `${code(subject)}; ${report.startedAt}, took ${durationInWords(report.durationMilliseconds)}; partnerkit ${report.kit}\n\n`,
    ...notes.map((note) => `${inline(note)}.\n\n`),
    `Least scopes: ${code(scopes.line)}\n`,
    ...wrong.map((row) => section(report, row)),
    '\n### Everything that was tried\n\n',
    '| what | kind | outcome | rule | seen |\n|---|---|---|---|---|\n',
    ...rows.map(line),
  ]);
}

function section(report: ClientReport, row: ClientRow): string {
  const { rule, message, advice, again } = row;
  const [first] = evidenceOf(report, row);
  const seen =
    first === undefined
      ? [`- seen: ${inline(message)}\n`]
      : [
          `- expected: ${inline(first.expected)}\n- observed: ${inline(first.observed)} (${row.broken} of ${row.applied})\n`,
        ];
  return [
    `\n### ${icons[row.outcome]} ${code(row.id)}\n\n`,
    `${inline(rule.text)} _(${rule.id}, ${inline(rule.section)}, ${rule.provenance}, ${rule.level})_\n\n`,
    ...seen,
    `- do: ${inline(advice)}\n`,
    ...[first?.exchange.curl, again].flatMap((text) => (text == null ? [] : [`\n${fenced(text)}\n`])),
  ].join('');
}

const line = ({ id, kind, outcome, rule, message }: ClientRow) =>
  `| ${[code(id), kind, icons[outcome], inline(rule.text), inline(message)].join(' | ')} |\n`;
