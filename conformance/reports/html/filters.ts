import { html, type Markup } from '../../../spec/report-page/markup.ts';

/** Chips and a search field that filter the laws on the page. @param outcomes number of rows by outcome */
export const filters = (outcomes: Readonly<Record<string, number>>): Markup =>
  html`<ul class="chips" aria-label="Filter by outcome">${chips(outcomes)}</ul>
<div class="filters"><input id="text" type="search" placeholder="Search ids, rules, messages" aria-label="Search ids, rules, messages"><button type="button" id="expand" aria-pressed="false">Open all</button><span id="shown" class="soft small" role="status"></span></div>`;

function chips(outcomes: Readonly<Record<string, number>>): Markup[] {
  return Object.entries(outcomes)
    .filter(([, count]) => count > 0)
    .map(
      ([outcome, count]) =>
        html`<li><button type="button" class="chip ${outcome}" value="${outcome}" aria-pressed="false"><b>${count}</b> ${outcome.replace('-', ' ')}</button></li>`,
    );
}
