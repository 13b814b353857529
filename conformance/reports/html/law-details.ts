import { durationInWords } from '../duration-in-words.ts';
import { type Evidence, evidenceOf } from '../evidence-of.ts';
import type { Report, ReportExchange, ReportRow } from '../report-schema.ts';
import { html, type Markup } from './markup.ts';

/** What is looked at of a report and of a row. */
type Shown = Pick<Report, 'exchanges' | 'startedAt'>;
type ShownRow = Omit<ReportRow, 'waived'> & { readonly waived?: boolean };

/** One law: a line that opens to its rule and the evidence. What went wrong stands open. */
export function lawDetails(report: Shown, row: ShownRow, more: Markup | null = null): Markup {
  const { id, title, outcome, rule, waived = false, message } = row;
  const open = (outcome === 'fail' && !waived) || outcome === 'error' ? html` open` : null;
  const words = [id, title, rule.id, rule.text, rule.section, message].join(' ');
  const evidence = evidenceOf(report, row);
  return html`<details class="law ${outcome}" id="${id}" data-outcome="${outcome}" data-search="${words}"${open}>
<summary><span class="badge">${waived ? 'waived' : outcome.replace('-', ' ')}</span><span class="name"><b>${id}</b><span class="soft">${rule.text}</span>${answerOf(row)}</span><span class="count soft small">${countOf(row)}</span></summary>
<div class="inside">
<dl><dt>Judged</dt><dd>${title}</dd><dt>From</dt><dd>${rule.section}; ${rule.provenance}, ${rule.level} <span class="soft small">(${rule.id})</span></dd></dl>
${evidence.length === 0 ? html`<p class="message">${message}</p>` : evidence.map((one) => evidenceDetails(one, Date.parse(report.startedAt)))}
${more}</div></details>
`;
}

/** What a reader is after without opening the row: the answer to an open question, the reason why nothing is known. */
const answerOf = ({ outcome, message, title }: ShownRow) =>
  (outcome === 'observed' || outcome === 'inconclusive' || outcome === 'not-run') && message !== title
    ? html`<span class="answer">${message}</span>`
    : null;

function countOf({ applied, broken }: ShownRow): string {
  if (broken > 0) return `${broken} of ${applied}`;
  return applied > 0 ? `${applied}` : '';
}

function evidenceDetails({ expected, observed, exchange, others }: Evidence, start: number): Markup {
  return html`<div class="compare"><div><h3>Expected</h3>${expected}</div><div class="observed"><h3>Observed</h3>${observed}</div></div>
${shell(exchange.curl)}
${[...others, exchange].map((one) => exchangeDetails(one, start))}`;
}

/** A command to be copied. */
export const shell = (command: string) =>
  html`<div class="shell"><pre><code>${command}</code></pre><button type="button" class="copy">copy</button></div>`;

function exchangeDetails(exchange: ReportExchange, start: number): Markup {
  const { n, method, status, key, error, requestBody, requestBytes, replyBody, sentAt, doneAt, situation } = exchange;
  const url = URL.parse(exchange.url);
  const where = url === null ? exchange.url : url.pathname + (exchange.operationId === 'storage' ? '' : url.search);
  const when = `+${durationInWords(sentAt - start)}, took ${durationInWords(doneAt - sentAt)}`;
  const size = requestBytes === 0 ? '' : `, ${requestBytes} bytes sent`;
  return html`<details class="exchange"><summary><span class="status">${status ?? 'no reply'}</span> <code>${method} ${where}</code> <span class="soft small">${key ?? 'no key'}, ${when}${size}; number ${n}, ${situation}</span></summary>
<h3>Request</h3><pre>${method} ${exchange.url}
${headerLines(exchange.requestHeaders)}${requestBody === null ? '' : `\n${requestBody}`}</pre>
<h3>Reply</h3><pre>${error ?? `${status}\n${headerLines(exchange.replyHeaders)}${replyBody ? `\n${indented(replyBody)}` : ''}`}</pre>
</details>`;
}

/** JSON with indentation, everything else as it is. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

const headerLines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
