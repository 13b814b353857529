import { durationInWords } from '../duration-in-words.ts';
import type { ReportExchange, ReportRow } from '../report-schema.ts';
import { html, type Markup } from './markup.ts';

/** One check: a line that opens to its rule, what was expected and seen, and the evidence. What went wrong stands open. */
export function checkDetails(row: ReportRow): Markup {
  const { id, area, title, outcome, rule, waived, exchanges } = row;
  const open = (outcome === 'fail' && !waived) || outcome === 'error' ? html` open` : null;
  const words = [id, title, rule.id, rule.text, rule.section, row.message, row.expected, row.observed].join(' ');
  return html`<details class="check ${outcome}" id="${id}" data-outcome="${outcome}" data-area="${area}" data-search="${words}"${open}>
<summary><span class="badge">${waived ? 'waived' : outcome.replace('-', ' ')}</span><span class="name"><b>${id}</b><span class="soft">${title}</span>${answerOf(row)}</span><span class="took soft small">${tookOf(row)}</span></summary>
<div class="inside">
<dl><dt>Rule</dt><dd>${rule.text}</dd><dt>From</dt><dd>${rule.section}; ${rule.provenance}, ${rule.level} <span class="soft small">(${rule.id})</span></dd></dl>
${row.expected === null ? html`<p class="message">${row.message}</p>` : comparison(row.expected, row.observed ?? '')}
${row.curl === null ? null : shell(row.curl)}
${exchanges.length === 0 ? null : html`<h3>Evidence</h3>${exchanges.map((exchange) => exchangeDetails(exchange, exchanges[0]?.sentAt ?? 0))}`}
</div></details>
`;
}

/** What a reader is after without opening the row: the answer to an open question, the reason why nothing is known. */
const answerOf = ({ outcome, message }: ReportRow) =>
  outcome === 'observed' || outcome === 'inconclusive' ? html`<span class="answer">${message}</span>` : null;

const tookOf = ({ durationMilliseconds, outcome }: ReportRow) =>
  outcome === 'not-run' || outcome === 'not-selected' ? '' : durationInWords(durationMilliseconds);

const comparison = (expected: string, observed: string) =>
  html`<div class="compare"><div><h3>Expected</h3>${expected}</div><div class="observed"><h3>Observed</h3>${observed}</div></div>`;

const shell = (curl: string) =>
  html`<div class="shell"><pre><code>${curl}</code></pre><button type="button" class="copy">copy</button></div>`;

function exchangeDetails(exchange: ReportExchange, start: number): Markup {
  const { method, status, key, error, requestBody, requestBytes, replyBody, sentAt, doneAt } = exchange;
  const url = URL.parse(exchange.url);
  const where = url === null ? exchange.url : url.pathname + (exchange.operationId === 'storage' ? '' : url.search);
  const when = `+${durationInWords(sentAt - start)}, took ${durationInWords(doneAt - sentAt)}`;
  const size = requestBytes === 0 ? '' : `, ${requestBytes} bytes sent`;
  return html`<details class="exchange"><summary><span class="status">${status ?? 'no reply'}</span> <code>${method} ${where}</code> <span class="soft small">${key ?? 'no key'}, ${when}${size}</span></summary>
<h3>Request</h3><pre>${method} ${exchange.url}
${headerLines(exchange.requestHeaders)}${requestBody === null ? '' : `\n${requestBody}`}</pre>
<h3>Reply</h3><pre>${error ?? `${status}\n${headerLines(exchange.replyHeaders)}${replyBody ? `\n${indented(replyBody)}` : ''}`}</pre>
<h3>Again</h3>${shell(exchange.curl)}
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
