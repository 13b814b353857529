import { evidenceOf } from './evidence-of.ts';
import { code, fenced, fitting, inline } from './markup/markdown-text.ts';
import { leftOutWords, missingFields } from './missing-fields.ts';
import type { Report, ReportRow } from './report-schema.ts';
import { tookInWords } from './took-in-words.ts';

/** Each outcome as an emoji and a word. */
export const icons: Readonly<Record<ReportRow['outcome'], string>> = {
  fail: '❌ fail',
  error: '💥 error',
  inconclusive: '❔ inconclusive',
  'not-run': '⏭️ not run',
  warn: '⚠️ warn',
  observed: '🔎 observed',
  pass: '✅ pass',
  'not-selected': '➖ not selected',
};

/** Markdown for the summary of a CI step: what went wrong first, then every law. Never over 1 MiB, the limit of GitHub. */
export function markdownReport(report: Report): string {
  const { rows, gains } = report;
  const leftOut = leftOutWords(rows);
  const wanted = gains.map(({ field, laws, scripts }) => `| ${code(field)} | ${laws.length} | ${scripts} |\n`);
  const bad = rows.filter(({ outcome }) => ['fail', 'error', 'inconclusive', 'warn'].includes(outcome));
  const missing = missingFields(rows).map(([why, ids]) => `- ${inline(why)}: ${ids.map(code).join(', ')}\n`);
  const blocks = [
    head(report),
    ...bad.map((row) => section(report, row)),
    ...(leftOut === '' ? [] : [`\nLeft out, and what they need: ${inline(leftOut)}\n`]),
    ...(wanted.length > 0
      ? ['\n### What the target file lacks\n\n| field | laws | scripts |\n|---|---|---|\n', ...wanted]
      : []),
    ...(missing.length > 0 ? ['\n### Not run\n\n', ...missing] : []),
    '\n### Every law\n\n',
    '| law | outcome | rule | section | provenance | level | applied | broken | seen |\n|---|---|---|---|---|---|---|---|---|\n',
    ...rows.map(line),
  ];
  return fitting(blocks);
}

function head({ verdict, sentence, target, waivers, ...report }: Report): string {
  const icon = { conformant: '✅', 'non-conformant': '❌', incomplete: '❔' }[verdict];
  const excused = waivers.map(
    ({ id, state, reason, owner, expires }) =>
      `| ${code(id)} | ${state} | ${inline(reason)} | ${inline(owner)} | ${expires} |\n`,
  );
  return [
    `## ${icon} ${verdict}: ${inline(sentence)}\n\n`,
    `${code(target.baseUrl)}, tenants ${target.tenants.map(inline).join(', ')}; ${report.startedAt}, `,
    `${tookInWords(report)}; partnerkit ${report.kit}\n\n`,
    Object.entries(report.outcomes)
      .filter(([, count]) => count > 0)
      .map(([outcome, count]) => `${count} ${outcome}`)
      .join(', '),
    '\n',
    ...(report.limiter === null ? [] : [`\nLimiter: ${inline(report.limiter.judgement.reason)}\n`]),
    ...(excused.length > 0
      ? ['\n### Waivers\n\n| law | state | reason | owner | until |\n|---|---|---|---|---|\n', ...excused]
      : []),
  ].join('');
}

function section(report: Report, row: ReportRow): string {
  const [first] = evidenceOf(report, row);
  const seen =
    first === undefined
      ? []
      : [
          `- expected: ${inline(first.expected)}\n- observed: ${inline(first.observed)}\n`,
          `- seen in ${first.counted ?? `${row.broken} of ${row.applied}`}\n`,
        ];
  return [
    `\n### ${icons[row.outcome]}${row.waived ? ' (waived)' : ''} ${code(row.id)}\n\n`,
    `${inline(row.rule.text)} _(${row.rule.id}, ${inline(row.rule.section)}, ${row.rule.provenance}, ${row.rule.level})_\n\n`,
    ...(seen.length > 0 ? seen : [`- ${inline(row.message)}\n`]),
    ...(first === undefined
      ? []
      : [`\n${fenced([...first.others, first.exchange].map(({ curl }) => curl).join('\n'))}\n`]),
  ].join('');
}

function line(row: ReportRow): string {
  const cells = [
    code(row.id),
    `${icons[row.outcome]}${row.waived ? ' (waived)' : ''}`,
    inline(row.rule.text),
    inline(row.rule.section),
    row.rule.provenance,
    row.rule.level,
    String(row.applied),
    String(row.broken),
    inline(row.message),
  ];
  return `| ${cells.join(' | ')} |\n`;
}
