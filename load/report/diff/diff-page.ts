import { html, type Markup } from '../../../spec/report-page/markup.ts';
import { page } from '../../../spec/report-page/page.ts';
import { scaleOf } from '../picture.ts';
import { pictures } from '../pictures.ts';
import type { LoadReport } from '../report-schema.ts';
import { headings, runHead } from '../run-head.ts';
import { style } from '../style.ts';
import { type Difference, diffRuns } from './diff-runs.ts';

/** Two runs side by side: verdicts, pictures with the same axes, figures. One page without scripts. */
export function diffPage(before: LoadReport, after: LoadReport): string {
  const scale = scaleOf([before, after]);
  const old = pictures(before, scale, { width: 520, run: 'Before: ' });
  const now = pictures(after, scale, { width: 520, run: 'After: ' });
  const pairs = Array.from({ length: Math.max(old.length, now.length) }, (_, i) => sideBySide(old[i], now[i]));
  return page({
    title: `${before.scenario}: ${headings[before.outcome]}, then: ${headings[after.outcome]}`,
    style,
    body: html`${sideBySide(runHead(before, 'Before: '), runHead(after, 'After: '))}
${pairs}
<h2>Figures</h2><div class="card"><table class="figures"><thead><tr><td></td><th>before</th><th>after</th></tr></thead><tbody>${diffRuns(before, after).map(row)}</tbody></table></div>`,
  });
}

const sideBySide = (left: Markup = html``, right: Markup = html``): Markup =>
  html`<div class="runs"><section>${left}</section><section>${right}</section></div>`;

const row = ({ what, before, after, turn }: Difference): Markup =>
  html`<tr><th scope="row">${what}</th><td>${before}</td><td class="${turn ?? ''}">${after}${turn === null ? '' : ` (${turn})`}</td></tr>`;
