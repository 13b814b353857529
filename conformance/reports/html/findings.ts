import { html, type Markup } from '../../../spec/report-page/markup.ts';
import { byCause, type Evidence, evidenceOf, whereWords } from '../evidence-of.ts';
import type { Report, ReportRow } from '../report-schema.ts';
import { exchangeDetails } from './exchange-details.ts';
import { shell } from './shell.ts';

/** A broken must without a waiver, or an error of the runner. */
export const isWrong = ({ outcome, waived }: Pick<ReportRow, 'outcome' | 'waived'>): boolean =>
  (outcome === 'fail' && !waived) || outcome === 'error';

/** What is wrong, the most frequent first. Rules that are broken in the same way are one card. */
export function findings(report: Report): Markup | null {
  const wrong = report.rows.filter(isWrong).sort((a, b) => b.broken - a.broken);
  if (wrong.length === 0) return null;
  const cards = byCause(wrong);
  const first = cards.length > 1 ? html`<span class="badge fail">do this first</span> ` : null;
  return html`<h2 id="wrong">What is wrong</h2>${cards.map((rows, i) => finding(report, rows, i === 0 ? first : null))}`;
}

function finding(report: Report, rows: readonly ReportRow[], mark: Markup | null): Markup {
  const [row] = rows;
  if (row === undefined) return html``;
  const [evidence] = evidenceOf(report, row);
  const where = whereWords(rows);
  return html`<article class="card finding"><h3>${mark}${row.rule.text}</h3>
${evidence ? html`<p class="got">expected <b>${evidence.expected}</b> · got <b>${evidence.observed}</b>${evidence.counted ? html` <span class="soft small">${evidence.counted}</span>` : null}</p>` : html`<p>${row.message}</p>`}
${where === '' ? null : html`<p class="facts small">${where}</p>`}
<p class="facts soft small">${link(row)}</p>
${rows.length === 1 ? null : html`<p class="small">Broken in the same way:</p><ul class="facts soft small">${rows.slice(1).map((one) => html`<li>${link(one)}: ${one.rule.text}</li>`)}</ul>`}
${evidence ? details(evidence, Date.parse(report.startedAt)) : null}</article>`;
}

const link = (row: ReportRow) => html`<a href="#${row.id}">${row.id}</a>${share(row)}`;

function details({ exchange, others, observed }: Evidence, start: number): Markup {
  const script = [...others, exchange];
  return html`${shell(script.map(({ curl }) => curl).join('\n'))}${script.map((one) =>
    exchangeDetails(one, start, one === exchange ? observed : null),
  )}`;
}

function share({ applied, broken }: ReportRow): string {
  if (broken === 0) return '';
  return broken >= applied ? ` (${applied > 1 ? `all ${applied}` : 'the only one'})` : ` (${broken} of ${applied})`;
}
