import { html, type Markup } from '../../spec/report-page/markup.ts';
import { page } from '../../spec/report-page/page.ts';
import { scaleOf } from './picture.ts';
import { pictures } from './pictures.ts';
import type { LoadReport } from './report-schema.ts';
import { headings, runHead } from './run-head.ts';
import { style } from './style.ts';
import { burstText, rateText, shownKeys } from './terminal-report.ts';

/** One page with verdict, pictures, rules and keys. It has no scripts and loads nothing. */
export const htmlReport = (report: LoadReport): string =>
  page({
    title: `${report.scenario}: ${headings[report.outcome]}`,
    style,
    body: html`${runHead(report)}
${pictures(report, scaleOf([report]))}
${rulesTable(report)}
${keysTable(report)}`,
  });

function rulesTable({ rules }: LoadReport): Markup | null {
  if (rules.length === 0) return null;
  const rows = rules.map(
    ({ rule, outcome, level, provenance, seen }) =>
      html`<tr><td class="outcome"><span class="badge ${outcome}">${outcome}</span></td><td><b>${rule}</b> <span class="soft small">${level}, ${provenance}</span><br>${seen}</td></tr>`,
  );
  return html`<h2>Rules</h2><div class="card"><table class="rules">${rows}</table></div>`;
}

function keysTable({ keys }: LoadReport): Markup | null {
  if (keys.length === 0) return null;
  const shown = shownKeys(keys);
  // On a narrow page the cells are below each other, each with its label.
  const number = (label: string, value: number) => html`<td class="number" data-label="${label}">${value}</td>`;
  const measure = (label: string, seen: string, declared: number) =>
    html`<td data-label="${label}"><span>${seen}<br><span class="soft small">declared ${declared}</span></span></td>`;
  const rows = shown.map(
    ({ key, counts, measured, limit, sentence }) =>
      html`<tr><td><b>${key}</b><br><span class="small">${sentence}</span></td>${[
        number('admitted', counts.admitted),
        number('throttled', counts.throttled),
        number('no answer', counts.unknown),
        measure('measured rate', rateText(measured).replace('rate ', ''), limit.perSecond),
        measure('measured burst', burstText(measured).replace('burst ', ''), limit.burst),
      ]}</tr>`,
  );
  const hidden = keys.length - shown.length;
  return html`<h2>Keys</h2><div class="card"><table class="keys"><thead><tr><th>key</th><th class="number">admitted</th><th class="number">throttled</th><th class="number">no answer</th><th>measured rate</th><th>measured burst</th></tr></thead><tbody>${rows}</tbody></table></div>
${hidden > 0 ? html`<p class="soft small more">and ${hidden} more keys, in the JSON report</p>` : null}`;
}
