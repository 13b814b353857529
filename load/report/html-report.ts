import { html, type Markup } from '../../spec/report-page/markup.ts';
import { page } from '../../spec/report-page/page.ts';
import { charts, scaleOf } from './charts.ts';
import { type Difference, diffRuns } from './diff-runs.ts';
import type { LoadReport } from './report-schema.ts';
import { burstText, doubtsIn, rateText, shownKeys } from './terminal-report.ts';

const headings = {
  keeps: 'Keeps the contract',
  breaks: 'Breaks the contract',
  'cannot-tell': 'Could not tell',
} as const satisfies Record<LoadReport['outcome'], string>;
const looks = { keeps: 'pass', breaks: 'fail', 'cannot-tell': 'warn' } as const;
const maxDoubts = 8;

/** Styles of load reports, beside those that all reports share. */
const style = `
svg { min-width: 540px; } .runs svg { min-width: 420px; }
svg .admitted { fill: var(--accent); } svg .throttled { fill: var(--fail); opacity: .75; } svg .unknown { fill: var(--soft); }
.key.admitted, .key.throttled, .key.unknown, .key.band { width: 14px; height: 14px; border: 0; border-radius: 3px; margin-bottom: 2px; }
.key.admitted { background: var(--accent); } .key.throttled { background: var(--fail); opacity: .75; } .key.unknown { background: var(--soft); }
.key.band { background: var(--pass); opacity: .3; }
td.outcome { width: 7.5rem; }
.runs { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 16px; }
td.better { color: var(--pass); } td.worse { color: var(--fail); }
@media (max-width: 640px) { .runs { grid-template-columns: minmax(0, 1fr); } }
`;

/** One page with verdict, charts, rules and keys. It has no scripts and loads nothing. */
export const htmlReport = (report: LoadReport): string =>
  page({
    title: `${report.scenario}: ${headings[report.outcome]}`,
    style,
    body: html`${runHead(report)}
${charts(report, scaleOf([report]))}
${rulesTable(report)}
${keysTable(report)}`,
  });

/** Two runs side by side: verdicts, charts with the same axes, figures. One page without scripts. */
export function diffPage(before: LoadReport, after: LoadReport): string {
  const scale = scaleOf([before, after]);
  const [old, now] = [charts(before, scale, 'Before: '), charts(after, scale, 'After: ')];
  const pairs = Array.from({ length: Math.max(old.length, now.length) }, (_, i) => sideBySide(old[i], now[i]));
  const row = ({ what, before, after, turn }: Difference): Markup =>
    html`<tr><th scope="row">${what}</th><td>${before}</td><td class="${turn ?? ''}">${after}${turn === null ? '' : ` (${turn})`}</td></tr>`;
  return page({
    title: `${before.scenario}: ${headings[before.outcome]}, then: ${headings[after.outcome]}`,
    style,
    body: html`${sideBySide(runHead(before, 'Before: '), runHead(after, 'After: '))}
${pairs}
${table('Figures', ['', 'before', 'after'], diffRuns(before, after).map(row))}`,
  });
}

const sideBySide = (left: Markup = html``, right: Markup = html``): Markup =>
  html`<div class="runs"><section>${left}</section><section>${right}</section></div>`;

function runHead(report: LoadReport, name = ''): Markup {
  const { scenario, target, outcome, sentence, traffic, startedAt, seconds, kit } = report;
  const { p50, p95, p99 } = traffic.durationMs;
  const facts = [
    startedAt?.replace(/T(.*)\.\d+Z$/, ' $1 UTC') ?? 'nothing sent',
    `${seconds} s`,
    `${traffic.requests} requests`,
    ...(p50 === null ? [] : [`median ${p50} ms, p95 ${p95} ms, p99 ${p99} ms`]),
    `partnerkit ${kit}`,
  ];
  const doubts = doubtsIn(report).slice(0, maxDoubts);
  return html`<header class="card verdict ${looks[outcome]}">
<p class="soft small">${name}partnerkit load ${scenario}${target === '' ? '' : ` against ${target}`}</p>
<h1>${headings[outcome]}</h1>
<p>${sentence}</p>
${doubts.length === 0 ? null : html`<ul class="small">${doubts.map(({ text }) => html`<li>${text}</li>`)}</ul>`}
<p class="soft small">${facts.join(' · ')}</p>
</header>`;
}

const table = (title: string, head: readonly string[], rows: readonly Markup[]): Markup =>
  html`<h2>${title}</h2><div class="card table" role="region" aria-label="${title}" tabindex="0"><table>${head.length === 0 ? null : html`<thead><tr>${head.map((cell) => (cell === '' ? html`<td></td>` : html`<th>${cell}</th>`))}</tr></thead>`}<tbody>${rows}</tbody></table></div>`;

function rulesTable({ rules }: LoadReport): Markup | null {
  if (rules.length === 0) return null;
  const rows = rules.map(
    ({ rule, outcome, level, provenance, seen }) =>
      html`<tr><td class="outcome"><span class="badge ${outcome}">${outcome}</span></td><td><b>${rule}</b> <span class="soft small">${level}, ${provenance}</span><br>${seen}</td></tr>`,
  );
  return table('Rules', [], rows);
}

function keysTable({ keys }: LoadReport): Markup | null {
  if (keys.length === 0) return null;
  const shown = shownKeys(keys);
  const measure = (seen: string, declared: number) =>
    html`<td>${seen}<br><span class="soft small">declared ${declared}</span></td>`;
  const rows = shown.map(
    ({ key, counts, measured, limit, sentence }) =>
      html`<tr><td><b>${key}</b><br><span class="small">${sentence}</span></td>${[counts.admitted, counts.throttled, counts.unknown].map((count) => html`<td>${count}</td>`)}${measure(rateText(measured), limit.perSecond)}${measure(burstText(measured), limit.burst)}</tr>`,
  );
  const hidden = keys.length - shown.length;
  return html`${table('Keys', ['key', 'admitted', 'throttled', 'no answer', 'rate', 'burst'], rows)}
${hidden > 0 ? html`<p class="soft small">and ${hidden} more keys, in the JSON report</p>` : null}`;
}
