import { html, type Markup } from '../../../spec/report-page/markup.ts';
import { prettyJson } from '../../../spec/text/json-or-undefined.ts';
import { durationInWords } from '../duration-in-words.ts';
import type { Evidence } from '../evidence-of.ts';
import type { ReportExchange } from '../report-schema.ts';

/** A shell command with a copy button. */
export const shell = (command: string) =>
  html`<div class="shell"><pre tabindex="0"><code>${command}</code></pre><button type="button" class="copy">copy</button></div>`;

/** What was expected and what came. */
export const compared = ({ expected, observed, counted }: Evidence): Markup =>
  html`<p class="got">expected <b>${expected}</b> · got <b>${observed}</b>${counted ? html` <span class="soft small">${counted}</span>` : null}</p>`;

/**
 * The requests of a breach as commands, and each with its reply.
 * @param start of the run, in ISO time
 * @param isOpen whether the last exchange is unfolded, with the lines marked that show what is wrong
 */
export function requests(evidence: Evidence, start: string, isOpen = false): Markup {
  const { exchange, others } = evidence;
  return html`${shell([...others, exchange].map(({ curl }) => curl).join('\n'))}${exchanges(evidence, start, isOpen)}`;
}

/** The same without the commands. */
export const exchanges = ({ exchange, others, observed }: Evidence, start: string, isOpen = false): readonly Markup[] =>
  [...others, exchange].map((one) =>
    exchangeDetails(one, Date.parse(start), isOpen && one === exchange ? observed : null),
  );

/** A request with its reply, folded to one line. @param observed what is wrong with the reply: it is unfolded, and the lines that show it are marked */
function exchangeDetails(exchange: ReportExchange, start: number, observed: string | null): Markup {
  const { n, method, status, key, error, requestBody, requestBytes, replyBody, sentAt, doneAt, script } = exchange;
  const url = URL.parse(exchange.url);
  const where = url === null ? exchange.url : url.pathname + (exchange.operationId === 'storage' ? '' : url.search);
  const when = `+${durationInWords(sentAt - start)}, took ${durationInWords(doneAt - sentAt)}`;
  const size = requestBytes === 0 ? '' : `, ${requestBytes} bytes sent`;
  const reply =
    error ?? `${status}\n${headerLines(exchange.replyHeaders)}${replyBody ? `\n${prettyJson(replyBody)}` : ''}`;
  return html`<details class="exchange"${observed === null ? null : html` open`}><summary><span class="status">${status ?? 'no reply'}</span> <code>${method} ${where}</code> <span class="soft small">${key ?? 'no key'}, ${when}${size}; number ${n}, ${script}</span></summary>
<h3>Request</h3><pre tabindex="0">${method} ${exchange.url}
${headerLines(exchange.requestHeaders)}${requestBody === null ? '' : `\n${requestBody}`}</pre>
<h3>Reply</h3><pre tabindex="0">${observed === null ? reply : marked(reply, observed)}</pre>
</details>`;
}

/** The lines that show what was observed: the status, or an id or quoted text that the words name. */
function marked(reply: string, observed: string): readonly Markup[] {
  const named = [...observed.matchAll(/"([^"]{3,})"|[\w-]{12,}/g)].map(([whole, quoted]) =>
    (quoted ?? whole).toLowerCase(),
  );
  const isStatus = /^\d{3}\b/.test(observed);
  return reply.split('\n').map((line, i) => {
    const isMeant = isStatus ? i === 0 : named.some((one) => line.toLowerCase().includes(one));
    return html`${i === 0 ? '' : '\n'}${isMeant ? html`<mark>${line}</mark>` : line}`;
  });
}

const headerLines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
