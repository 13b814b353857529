import { html, type Markup } from '../../../spec/report-page/markup.ts';
import { page } from '../../../spec/report-page/page.ts';
import { script } from './script.ts';
import { style } from './style.ts';

/** A page that lists laws, with the script and style of filters, copy buttons and links. */
export const lawPage = (title: string, body: Markup): string => page({ title, body, style, script });

/** Chips and a search field that filter the laws on the page. @param outcomes number of rows by outcome */
export function filters(outcomes: Readonly<Record<string, number>>): Markup {
  const chips = Object.entries(outcomes)
    .filter(([, count]) => count > 0)
    .map(
      ([outcome, count]) =>
        html`<li><button type="button" class="chip ${outcome}" value="${outcome}" aria-pressed="false"><b>${count}</b> ${outcome.replace('-', ' ')}</button></li>`,
    );
  return html`<ul class="chips" aria-label="Filter by outcome">${chips}</ul>
<div class="filters"><input id="text" type="search" placeholder="Search ids, rules, messages" aria-label="Search ids, rules, messages"><button type="button" id="expand" aria-pressed="false">Open all</button><span id="shown" class="soft small" role="status"></span></div>`;
}

/** A table in a card. The first column is text, and the others are numbers. */
export const numberTable = (title: string, heads: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  html`<div class="card table" role="region" aria-label="${title}" tabindex="0"><table><thead><tr>${heads.map((head, i) => html`<th${i > 0 ? html` class="number"` : null}>${head}</th>`)}</tr></thead><tbody>${rows.map((row) => html`<tr>${row.map((cell, i) => html`<td${i > 0 ? html` class="number"` : null}>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
