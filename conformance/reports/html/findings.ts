import { html, type Markup } from '../../../spec/report-page/markup.ts';
import { type Evidence, evidenceOf } from '../evidence-of.ts';
import type { Report, ReportRow } from '../report-schema.ts';
import { exchangeDetails } from './exchange-details.ts';
import { labelTimeline } from './label-timeline.ts';
import { shell } from './shell.ts';

/** A must that is broken and that nobody has excused, or a mistake of the runner. */
export const isWrong = ({ outcome, waived }: Pick<ReportRow, 'outcome' | 'waived'>): boolean =>
  (outcome === 'fail' && !waived) || outcome === 'error';

/** What is wrong in words of what was seen: laws that the same reply breaks are one finding, the most frequent first. */
export function findings(report: Report): Markup | null {
  const wrong = report.rows.filter(isWrong).sort((a, b) => b.broken - a.broken);
  if (wrong.length === 0) return null;
  const groups = [...Map.groupBy(wrong, nameOf).values()];
  return html`<h2 id="wrong">What is wrong</h2>${groups.map((rows) => finding(report, rows))}`;
}

/** The same for rows that show the same of the same exchange. */
function nameOf({ id, breaches: [first] }: ReportRow): string {
  return first === undefined ? id : JSON.stringify([first.exchange, first.expected, first.observed]);
}

function finding(report: Report, rows: readonly ReportRow[]): Markup {
  const [row] = rows;
  if (row === undefined) return html``;
  const [evidence] = evidenceOf(report, row);
  return html`<article class="card finding"><h3>${evidence ? seen(evidence) : row.message}</h3>
${evidence ? html`<p>Expected: ${evidence.expected}.</p>` : null}
<p class="facts soft small">${rows.map((one, i) => html`${i === 0 ? '' : '; '}<a href="#${one.id}">${one.id}</a>${share(one)}`)}</p>
${evidence ? shown(evidence, Date.parse(report.startedAt)) : null}</article>`;
}

function shown({ exchange, labels }: Evidence, start: number): Markup {
  return html`${labels ? labelTimeline(labels, exchange.n) : null}${shell(exchange.curl)}${exchangeDetails(exchange, start)}`;
}

/** A sentence of what was observed, which may be no more than a status. */
function seen({ observed, exchange }: Evidence): string {
  if (!/^\d{3}\b/.test(observed)) return `${observed[0]?.toUpperCase() ?? ''}${observed.slice(1)}`;
  return `${exchange.method} ${URL.parse(exchange.url)?.pathname ?? exchange.url} answered ${observed}`;
}

function share({ applied, broken }: ReportRow): string {
  if (broken === 0) return '';
  return broken >= applied ? ` (${applied > 1 ? `all ${applied}` : 'the only one'})` : ` (${broken} of ${applied})`;
}
