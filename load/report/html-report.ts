import { capital, code, copyScript, html, type Markup } from '../../spec/report-page/markup.ts';
import { page, toMend } from '../../spec/report-page/page.ts';
import { isRuleId, ruleById } from '../../spec/rules.ts';
import { instantInWords } from '../../spec/text/time-in-words.ts';
import { charts } from './charts.ts';
import { type Difference, diffRuns, type Figure, measuredText } from './diff-runs.ts';
import type { LoadReport } from './report-schema.ts';
import { bucketOf, remediesOf, ruleRows } from './rule-rows.ts';
import { doubtsIn, factsOf, headings, shownKeys } from './terminal-report.ts';

/** Styles of load reports, beside those that all reports share. */
const style = `
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 14px; margin-top: 14px; } .figures p:last-child { margin: 0; }
.big { font-size: 2.5rem; line-height: 1.15; font-weight: 650; letter-spacing: -.02em; margin: 2px 0; font-variant-numeric: tabular-nums; }
.figures .fail { border-color: var(--fail); } .fail .big, td.worse { color: var(--fail); } td.better { color: var(--pass); }
svg .admitted { fill: var(--accent); } svg .throttled { fill: var(--soft); opacity: .4; } svg .unknown { fill: var(--warn); }
svg .before, svg .declared { stroke: var(--ink); fill: none; stroke-width: 2; stroke-dasharray: 6 4; } svg .declared { filter: drop-shadow(0 0 1px var(--card)) drop-shadow(0 0 1px var(--card)); } svg .above { fill: var(--ink); font-weight: 600; paint-order: stroke; stroke: var(--card); stroke-width: 4px; }
svg .bound { stroke-dasharray: none; } svg .over { fill: var(--fail); } svg polygon.over { fill-opacity: .25; }
.key.admitted, .key.throttled, .key.unknown, .key.band, .key.over { width: 14px; height: 14px; border: 0; border-radius: 3px; margin-bottom: 2px; }
.key.admitted { background: var(--accent); } .key.throttled { background: var(--soft); opacity: .4; } .key.unknown { background: var(--warn); }
.key.band { background: var(--pass); opacity: .3; } .key.over { background: var(--fail); opacity: .3; } .key:is(.before, .declared) { border-top-style: dashed; border-top-width: 2px; }
td.outcome { width: 8rem; } :is(td:not(.outcome), p) > .badge { min-width: 0; } .verdict ul { margin-bottom: 8px; } .verdict .small { text-wrap: balance; }
.diff tbody th { max-width: 24rem; color: var(--ink); } .diff th .small { color: var(--soft); font-weight: 400; } .diff td .small { display: block; } .diff td:nth-of-type(-n+3) { white-space: nowrap; }
@media (max-width: 640px) { .big { font-size: 1.8rem; } .diff :is(thead, td:empty) { display: none; } .diff :is(tr, th, td) { display: block; padding-bottom: 0; border: 0; } .diff tr { padding-bottom: 6px; } .diff tr + tr { border-top: 1px solid var(--line); } .diff td { position: relative; padding-left: 5rem; } .diff td::before { content: attr(data-head); position: absolute; left: 0; color: var(--soft); } table { font-size: .8125rem; } th { font-size: inherit; } th, td { padding-right: 8px; } .figures > :last-child:nth-child(odd) { grid-column: 1 / -1; } td.outcome { width: 4rem; } td.outcome .badge { min-width: 0; } td .small { font-size: .75rem; } td > .badge { font-size: inherit; padding: 0 5px; } }
@media print { main { zoom: .82; } h2 { margin: 12px 0 5px; } .big { font-size: 1.6rem; } .figures { gap: 10px; margin-top: 10px; } .card { padding: 9px 12px; } .legend { font-size: .75rem; gap: 2px 12px; } svg { overflow: visible; } svg text { font-size: 19px; } table, .small { font-size: 13px; } th { font-size: inherit; } td.outcome { width: 7rem; } .badge { min-width: 0; font-size: 12px; }
  .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: 0 10px; } .charts > section { break-inside: avoid; grid-row: span 4; &, > figure { display: grid; grid-template-rows: subgrid; gap: 0; } > figure { grid-row: span 3; } } section:not(:only-child) > figure { .wide-only { display: none; } .narrow-only { display: block; } text { font-size: 13px; } }
  .code > pre { font-size: 12px; } .diff tbody th { width: 42%; max-width: none; } }
`;

/** One page with verdict, figures, charts, rules and keys. It loads nothing. */
export const htmlReport = (report: LoadReport): string =>
  page({
    title: `${capital(headings[report.outcome].says)}: ${nameOf(report)}`,
    style,
    script: copyScript,
    body: html`${runHead(report)}
${report.keys.length === 1 && report.timeline.length > 0 ? report.keys.map((key) => figures(key, ruleRows(report))) : null}
<div class="charts">${charts([report])}</div>
${rulesTable(report)}
${report.keys.length > 1 ? keysTable(report) : null}`,
  });

const badge = (outcome: string) => html`<span class="badge ${outcome.replace(' ', '-')}">${outcome}</span> `;

/** Two runs: what got worse, what differs, and the curves of both in one chart. One page without scripts. @param files of the reports */
export function diffPage(before: LoadReport, after: LoadReport, files: readonly [string, string]): string {
  const { differing, title, tone } = diffRuns(before, after);
  const value = (one: Figure) => html`${one.outcome === undefined ? null : badge(one.outcome)}${measuredText(one)}`;
  const row = ({ what, was, is, turn, allowed = '', change, note }: Difference): Markup => {
    const values = { allowed: html`${allowed}`, before: value(was), after: value(is) };
    // A narrow page has the heads of columns beside the values.
    const cells = Object.entries(values).map(([head, cell]) => html`<td data-head="${head}">${cell}</td>`);
    return html`<tr><th scope="row">${isRuleId(what) ? html`${ruleById(what).rule}<br><span class="small">${what}</span>` : what}</th>${cells}<td data-head="change" class="${turn ?? ''}">${change || (turn ?? '')}${note === '' ? null : html`<span class="soft small">${note}</span>`}</td></tr>`;
  };
  const run = (name: string, file: string, report: LoadReport) =>
    html`<p><b>${name}</b> ${badge(report.outcome.replace('-', ' '))}${saidOf(report)}<br><span class="soft small">${file} · ${nameOf(report)} · ${aboutOf(report, factsOf(report).slice(0, 2))}</span></p>`;
  return page({
    title: `${title}: ${files.join(', ')}`,
    style,
    body: html`<header class="card verdict ${tone}"><p class="soft small">partnerkit load diff</p><h1>${title}</h1>${run('Before', files[0], before)}${run('After', files[1], after)}${toMend(remediesOf(after))}</header>
${differing.length === 0 ? null : html`<div class="diff">${table('Differences', ['', 'allowed', 'before', 'after', 'change'], differing.map(row))}</div>`}
<div class="charts">${charts([before, after])}</div>`,
  });
}

const saidOf = ({ sentence }: LoadReport) => capital(sentence.replace(/: (?:keeps|breaks) the contract$/, ''));

/** What was judged: a deployment, or files. */
const nameOf = ({ scenario, target, sources }: LoadReport): string =>
  target === '' ? sources.join(', ') : `${scenario} against ${target}`;

function aboutOf(report: LoadReport, facts = factsOf(report)): string {
  const { startedAt, kit, scenario, target } = report;
  const begun = startedAt ? instantInWords(startedAt) : 'not begun';
  return [...(target === '' ? [scenario] : []), begun, ...facts, `partnerkit ${kit}`].join(' · ');
}

function runHead(report: LoadReport): Markup {
  const { target, outcome } = report;
  const doubts = doubtsIn(report);
  return html`<header class="card verdict ${outcome}">
<p class="soft small">partnerkit load${target === '' ? ' judge' : ''} ${nameOf(report)}</p>
<h1>${capital(headings[outcome].says)}</h1>
<p>${saidOf(report)}</p>
${toMend(remediesOf(report))}
${doubts.length === 0 ? null : html`<ul class="small">${doubts.map(({ text }) => html`<li>${text}</li>`)}</ul>`}
${report.again === undefined ? null : html`<p>${target === '' ? 'Record again, then' : 'To run it again'}:</p>${code(report.again)}`}
<p class="soft small">${aboutOf(report)}</p>
</header>`;
}

/** Rate and burst of the only key, each against what is declared, with the outcome of its rule. */
function figures(key: LoadReport['keys'][number], rows: ReturnType<typeof ruleRows>): Markup {
  const { counts, verdict } = key;
  const lost = counts.refused + counts.unknown;
  const isFree = counts.throttled === 0 && verdict === 'too-lax';
  const one = (name: Markup, value: string, isWrong: boolean, ...more: readonly string[]) =>
    html`<section class="card${isWrong ? ' fail' : ''}"><p class="soft">${name}</p><p class="big">${value}</p>${more.map((text) => html`<p class="soft small">${capital(text)}</p>`)}</section>`;
  const measured = bucketOf(key).map(({ rule, name, unit, value, bounds, declared, isOff }) => {
    const { outcome = 'not judged' } = rows.find((row) => row.rule === rule) ?? {};
    const isWrong = isFree || (isOff && outcome === 'fail');
    const seen = isFree ? 'nothing was throttled' : `measured: ${bounds}`;
    const said = isFree ? 'no limit' : value === undefined ? '-' : `${value}${unit}`;
    return one(html`${capital(name)} ${badge(isFree ? 'fail' : outcome)}`, said, isWrong, declared, seen);
  });
  const others = [`${counts.throttled} throttled (429)`, ...(lost > 0 ? [`${lost} without a usable answer`] : [])];
  return html`<div class="figures">${measured}${one(html`Admitted with ${key.key}`, `${counts.admitted}`, false, ...others)}</div>`;
}

const table = (title: string, head: readonly string[], rows: readonly Markup[]): Markup =>
  html`<h2>${title}</h2><div class="card table" role="region" aria-label="${title}" tabindex="0"><table>${head.length === 0 ? null : html`<thead><tr>${head.map((cell) => (cell === '' ? html`<td></td>` : html`<th>${cell}</th>`))}</tr></thead>`}<tbody>${rows}</tbody></table></div>`;

function rulesTable(report: LoadReport): Markup | null {
  const rows = ruleRows(report).map(({ rule, outcome, level, provenance, fact }) => {
    const said = fact === '' ? null : html`<span class="small">${capital(fact)}. </span>`;
    return html`<tr><td class="outcome">${badge(outcome)}</td><td>${isRuleId(rule) ? ruleById(rule).rule : null}<br>${said}<span class="soft small">${rule}, ${level}, ${provenance}</span></td></tr>`;
  });
  return rows.length === 0 ? null : table('Rules', [], rows);
}

function keysTable({ keys, sentence: ofRun }: LoadReport): Markup {
  const shown = shownKeys(keys);
  const cell = ({ bounds, declared, isOff }: ReturnType<typeof bucketOf>[number]) =>
    html`<td class="${isOff ? 'worse' : ''}">${bounds}<br><span class="soft small">${declared}</span></td>`;
  const rows = shown.map((one) => {
    const { key, verdict, counts, sentence } = one;
    const said =
      verdict === 'pass' || ofRun.includes(sentence) ? null : html`<br><span class="small">${sentence}</span>`;
    const sent = [counts.admitted, counts.throttled, counts.unknown].map((count) => html`<td>${count}</td>`);
    return html`<tr><td><b>${key}</b>${said}</td>${sent}${bucketOf(one).map(cell)}</tr>`;
  });
  const hidden = keys.length - shown.length;
  return html`${table('Keys', ['key', 'admitted', 'throttled', 'no answer', 'rate', 'burst'], rows)}
${hidden > 0 ? html`<p class="soft small">and ${hidden} more keys, in the JSON report</p>` : null}`;
}
