import { html, type Markup } from '../../../spec/report-page/markup.ts';
import { prettyJson } from '../../../spec/text/pretty-json.ts';
import { durationInWords } from '../duration-in-words.ts';
import type { ReportExchange } from '../report-schema.ts';

/** A request with its reply, folded to one line. @param start of the run, in milliseconds since the epoch */
export function exchangeDetails(exchange: ReportExchange, start: number): Markup {
  const { n, method, status, key, error, requestBody, requestBytes, replyBody, sentAt, doneAt, script } = exchange;
  const url = URL.parse(exchange.url);
  const where = url === null ? exchange.url : url.pathname + (exchange.operationId === 'storage' ? '' : url.search);
  const when = `+${durationInWords(sentAt - start)}, took ${durationInWords(doneAt - sentAt)}`;
  const size = requestBytes === 0 ? '' : `, ${requestBytes} bytes sent`;
  return html`<details class="exchange"><summary><span class="status">${status ?? 'no reply'}</span> <code>${method} ${where}</code> <span class="soft small">${key ?? 'no key'}, ${when}${size}; number ${n}, ${script}</span></summary>
<h3>Request</h3><pre>${method} ${exchange.url}
${headerLines(exchange.requestHeaders)}${requestBody === null ? '' : `\n${requestBody}`}</pre>
<h3>Reply</h3><pre>${error ?? `${status}\n${headerLines(exchange.replyHeaders)}${replyBody ? `\n${prettyJson(replyBody)}` : ''}`}</pre>
</details>`;
}

const headerLines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
