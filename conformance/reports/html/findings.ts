import { html, type Markup } from '../../../spec/report-page/markup.ts';
import { byCause, type Evidence, evidenceOf } from '../evidence-of.ts';
import type { Report, ReportRow } from '../report-schema.ts';
import { exchangeDetails } from './exchange-details.ts';
import { shell } from './shell.ts';

/** A broken must without a waiver, or an error of the runner. */
export const isWrong = ({ outcome, waived }: Pick<ReportRow, 'outcome' | 'waived'>): boolean =>
  (outcome === 'fail' && !waived) || outcome === 'error';

/** What is wrong, the most frequent first. Laws that the same reply breaks in the same way are one finding. */
export function findings(report: Report): Markup | null {
  const wrong = report.rows.filter(isWrong).sort((a, b) => b.broken - a.broken);
  if (wrong.length === 0) return null;
  return html`<h2 id="wrong">What is wrong</h2>${byCause(report, wrong).map((rows) => finding(report, rows))}`;
}

function finding(report: Report, rows: readonly ReportRow[]): Markup {
  const [row] = rows;
  if (row === undefined) return html``;
  const [evidence] = evidenceOf(report, row);
  return html`<article class="card finding"><h3>${evidence ? heading(evidence) : row.message}</h3>
${evidence ? html`<p>Expected: ${evidence.expected}.${evidence.counted ? ` Seen in ${evidence.counted}.` : ''}</p>` : null}
<p class="facts soft small">${rows.map((one, i) => html`${i === 0 ? '' : '; '}<a href="#${one.id}">${one.id}</a>${share(one)}`)}</p>
${evidence ? details(evidence, Date.parse(report.startedAt)) : null}</article>`;
}

function details({ exchange, others }: Evidence, start: number): Markup {
  const script = [...others, exchange];
  return html`${shell(script.map(({ curl }) => curl).join('\n'))}${script.map((one) => exchangeDetails(one, start))}`;
}

/** What was observed, as a sentence. Where it is only a status, the request is added. */
function heading({ observed, exchange }: Evidence): string {
  if (!/^\d{3}\b/.test(observed)) return `${observed[0]?.toUpperCase() ?? ''}${observed.slice(1)}`;
  return `${exchange.method} ${URL.parse(exchange.url)?.pathname ?? exchange.url} answered ${observed}`;
}

function share({ applied, broken }: ReportRow): string {
  if (broken === 0) return '';
  return broken >= applied ? ` (${applied > 1 ? `all ${applied}` : 'the only one'})` : ` (${broken} of ${applied})`;
}
