import { type Failure, factsOf, failuresIn } from './failures.ts';
import type { Report, ReportRow } from './report-schema.ts';
import { outcomeWords, sectionsOf, tookText } from './sections.ts';

/** Each outcome as an emoji and a word. */
const icons: Readonly<Record<ReportRow['outcome'], string>> = {
  fail: '❌ fail',
  error: '💥 error',
  inconclusive: '❔ inconclusive',
  'not-run': '⏭️ not run',
  warn: '⚠️ warn',
  observed: '🔎 observed',
  pass: '✅ pass',
  'not-selected': '➖ not selected',
};

/** Markdown for the summary of a CI step: what went wrong first, then every law. */
export function markdownReport(report: Report): string {
  const { rows } = report;
  return [
    head(report),
    ...failuresIn(report).map(section),
    ...sectionsOf(report).flatMap(({ title, items }) => [
      `\n### ${inline(title)}\n\n`,
      ...items.map(({ ids, text }) => `- ${ids.length === 0 ? '' : `${ids.map(code).join(', ')}: `}${inline(text)}\n`),
    ]),
    '\n### Every law\n\n',
    '| law | outcome | rule | section | provenance | level | applied | broken | seen |\n|---|---|---|---|---|---|---|---|---|\n',
    ...rows.map(line),
  ].join('');
}

function head({ verdict, sentence, target, limiter, ...report }: Report): string {
  const icon = { conformant: '✅', 'non-conformant': '❌', incomplete: '❔' }[verdict];
  return [
    `## ${icon} ${verdict}: ${inline(sentence)}\n`,
    `${code(target.baseUrl)}, tenants ${target.tenants.map(inline).join(', ')}; ${report.startedAt}, ${tookText(report)}; partnerkit ${report.kit}\n`,
    `${outcomeWords(report)}\n`,
    ...(limiter === null ? [] : [`Limiter: ${inline(limiter.judgement.reason)}\n`]),
  ].join('\n');
}

function section(failure: Failure): string {
  const { row, others, evidence } = failure;
  const { rule, outcome, waived, id } = row;
  const also = others.length === 0 ? [] : [`broken in the same way: ${others.map((one) => code(one.id)).join(', ')}`];
  const facts = factsOf(row, evidence, failure.where).map(([word, text]) => `${word && `${word}: `}${inline(text)}`);
  return [
    `\n### ${icons[outcome]}${waived ? ' (waived)' : ''} ${code(id)}\n\n`,
    `${inline(rule.text)} _(${rule.id}, ${inline(rule.section)}, ${rule.provenance}, ${rule.level})_\n\n`,
    ...[...facts, ...also].map((one) => `- ${one}\n`),
    ...(evidence ? [`\n${fenced(evidence.requests.map(({ curl }) => curl).join('\n'))}\n`] : []),
  ].join('');
}

function line({ id, outcome, waived, rule, applied, broken, message }: ReportRow): string {
  const texts = [rule.text, rule.section, rule.provenance, rule.level, `${applied}`, `${broken}`, message].map(inline);
  return `| ${[code(id), `${icons[outcome]}${waived ? ' (waived)' : ''}`, ...texts].join(' | ')} |\n`;
}

/** Escapes text from elsewhere, so that it is no markup and stays on one line and in its table cell. */
const inline = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_[\]|~#!]/g, '\\$&')
    .replace(/\s+/g, ' ');

/** Inline code as HTML, because Markdown shows entities in backticks literally. */
const code = (text: string) => `<code>${inline(text)}</code>`;

/** A block of shell, with a fence longer than any run of backticks in it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}sh\n${text}\n${fence}`;
}
