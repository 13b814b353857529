import { html, type Markup } from '../../../spec/report-page/markup.ts';
import { evidenceOf } from '../evidence-of.ts';
import type { Report, ReportRow } from '../report-schema.ts';
import { shareWords } from '../sections.ts';
import { compared, requests } from './evidence-details.ts';

/** The fields that both kinds of report have. */
type Shown = Pick<Report, 'exchanges' | 'startedAt'>;
type ShownRow = Omit<ReportRow, 'waived'> & { readonly waived?: boolean };

/** One law: a line that unfolds to its rule and its evidence. */
export function lawDetails(report: Shown, row: ShownRow, more: Markup | null = null): Markup {
  const { id, title, outcome, rule, waived = false, message } = row;
  const words = [id, title, rule.id, rule.text, rule.section, message].join(' ');
  const evidence = evidenceOf(report, row);
  return html`<details class="law ${outcome}" id="${id}" data-outcome="${outcome}" data-search="${words}">
<summary><span class="badge ${waived ? 'not-run' : outcome}">${waived ? 'waived' : outcome.replace('-', ' ')}</span><span class="name"><b>${id}</b><span class="soft">${rule.text}</span>${answerOf(row)}</span><span class="count soft small">${countOf(row)}</span></summary>
<div class="inside">
<dl>${title === rule.text ? null : html`<dt>Judged</dt><dd>${title}</dd>`}${row.smallestShare === undefined ? null : html`<dt>Would be seen</dt><dd>${shareWords(row.smallestShare)}</dd>`}<dt>From</dt><dd>${rule.section}; ${rule.provenance}, ${rule.level} <span class="soft small">(${rule.id})</span></dd></dl>
${evidence.length === 0 ? html`<p class="message">${message}</p>` : evidence.map((one) => html`${compared(one)}${requests(one, report.startedAt)}`)}
${more}</div></details>
`;
}

/** Shown without unfolding the row: the answer to an open question, or why nothing is known. */
const answerOf = ({ outcome, message, title }: ShownRow) =>
  (outcome === 'observed' || outcome === 'inconclusive' || outcome === 'not-run') && message !== title
    ? html`<span class="answer">${message}</span>`
    : null;

function countOf({ applied, broken }: ShownRow): string {
  if (broken > 0) return `${broken} of ${applied}`;
  return applied > 0 ? `${applied}` : '';
}
