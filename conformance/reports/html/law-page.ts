import type { IsMarked } from '../../../spec/report-page/json-tree.ts';
import { capital, code, copyScript, html, type Markup, prose } from '../../../spec/report-page/markup.ts';
import { page } from '../../../spec/report-page/page.ts';
import { durationInWords } from '../../../spec/text/time-in-words.ts';
import { withoutSignature } from '../../../spec/text/without-signature.ts';
import { counted } from '../../counted.ts';
import { type Evidence, evidenceOf, withKey } from '../failures.ts';
import type { Report, ReportExchange, ReportRow } from '../report-schema.ts';
import { byOutcome, shareWords } from '../sections.ts';
import { sendIt } from './send-it.ts';
import { script, style } from './style-and-script.ts';

/** A page that lists laws, with the script and style of filters, copy buttons and links. */
export const lawPage = (title: string, body: Markup): string =>
  page({ title, body, style, script: script + copyScript });

const meanings: Readonly<Record<string, string>> = {
  pass: 'as it should be',
  fail: 'what the contract asks for is broken',
  error: 'partnerkit has a bug',
  warn: 'what should be done is not',
  observed: 'choices that the contract leaves open',
  inconclusive: 'seen and undecided',
  'not-run': 'not tried, or nothing seen to judge it by',
  'not-selected': 'left out of this run',
};

/** How large a part has which outcome, which the sentence above says in words. */
export function shareBar(outcomes: Readonly<Record<string, number>>): Markup {
  const counts = Object.entries(outcomes);
  const starts = counts.map((_, i) => counts.slice(0, i).reduce((sum, [, count]) => sum + count, 0));
  const width = counts.reduce((sum, [, count]) => sum + count, 0);
  return html`<svg class="share" viewBox="0 0 ${width || 1} 1" preserveAspectRatio="none" aria-hidden="true">${counts.map(([outcome, count], i) => html`<rect class="${outcome}" x="${starts[i] ?? 0}" width="${count}" height="1"/>`)}</svg>`;
}

/** What is said of rules, which are folded where they are many. */
export function withLinks(text: Markup, ids: readonly string[]): Markup {
  const linkOf = (id: string, i: number) =>
    html`${i === 0 ? '' : ' '}<span class="option"><a href="#${id}">${id}</a>${i < ids.length - 1 ? ',' : ''}</span>`;
  const links = ids.map(linkOf);
  if (ids.length < 13) return html`${text}${ids.length === 0 ? '' : ': '}${links}`;
  return html`<details class="log"><summary>${text}: ${counted(ids.length, 'rule')}</summary><span class="small screen">${links}</span></details>`;
}

/** The fields that both kinds of report have. */
type Shown = Pick<Report, 'exchanges' | 'startedAt'>;
type ShownRow = Omit<ReportRow, 'waived'> & { readonly waived?: boolean; readonly name?: string };

/**
 * A search field, and the laws by outcome, what needs a look first.
 * @param partOf what stands above a law and others like it, such as the section of the contract
 */
export function lawsList<R extends ShownRow>(report: Shown, rows: readonly R[], partOf: (row: R) => string): Markup {
  const groups = [...Map.groupBy(byOutcome(rows), ({ outcome }) => outcome)];
  const parts = (some: readonly R[]) =>
    [...Map.groupBy(some, partOf)].map(
      ([title, those]) => html`<section><h4>${title}</h4>${those.map((row) => lawDetails(report, row))}</section>`,
    );
  return html`<p class="soft small">The number beside a rule says how often it was tried; 2 of 5, that 2 of 5 times it was broken.</p>
<div class="filters"><input id="text" type="search" placeholder="Search ids, rules, messages" aria-label="Search ids, rules, messages"><span id="shown" class="soft small" role="status"></span></div>
${groups.map(([outcome, some]) => html`<details class="section"><summary><h3 class="badge ${outcome}"><b>${some.length}</b> ${outcome.replace('-', ' ')}</h3> <span class="soft">${meanings[outcome] ?? ''}</span></summary>${parts(some)}</details>`)}`;
}

/** One law: a line that unfolds to its rule and its evidence. */
function lawDetails(report: Shown, row: ShownRow): Markup {
  const { id, name = id, title, outcome, rule, waived = false, message } = row;
  const words = [id, name, title, rule.id, rule.text, rule.section, message].join(' ');
  const evidence = evidenceOf(report, row);
  return html`<details class="law ${outcome}" id="${id}" data-search="${words}">
<summary><span class="name">${waived ? html`<span class="badge not-run">waived</span> ` : null}<b>${name}</b><span class="soft">${prose(rule.text)}</span>${answerOf(row)}</span><span class="count soft small">${countOf(row)}</span></summary>
<div class="inside">
<dl>${title === rule.text ? null : html`<dt>Judged</dt><dd>${title}</dd>`}${row.smallestShare === undefined ? null : html`<dt>Would be seen</dt><dd>${shareWords(row.smallestShare)}</dd>`}<dt>From</dt><dd>${rule.section}; ${rule.provenance}, ${rule.level} <span class="soft small">(${rule.id})</span></dd></dl>
${evidence.length === 0 ? (answerOf(row) === null && message !== rule.text ? told(message) : null) : evidence.map((one) => html`${compared(one)}${requests(one, report.startedAt)}`)}
</div></details>
`;
}

/** Shown without unfolding the row: the answer to an open question, or why nothing is known. One word, such as interrupted, is said above for all. */
const answerOf = ({ outcome, message, title }: ShownRow) =>
  ['observed', 'inconclusive', 'not-run'].includes(outcome) && message !== title && message.includes(' ')
    ? html`<span class="answer">${message.split(/; (?!\w+=)/).map((part) => html`<span class="answer">${prose(part)}</span>`)}</span>`
    : null;

const countOf = ({ applied, broken }: ShownRow) => (broken > 0 ? `${broken} of ${applied}` : `${applied || ''}`);

/** A message. What follows its first line is folded. */
export function told(message: string): Markup {
  const [said = '', ...rest] = message.split('\n');
  return html`<p>${capital(said)}</p>${rest.length === 0 ? null : html`<details class="log"><summary>Where</summary>${code(rest.join('\n'))}</details>`}`;
}

/** What was expected and what came, of how many rules, then what to do and where, and what else is known. How far a figure is off is seen where both are. */
export const compared = (
  { after, expected, observed, notes }: Evidence,
  rules = 1,
  places?: Markup,
  isFolded = false,
): Markup =>
  html`<p class="got">${rules > 1 ? `${rules} rules: ` : null}${after === '' ? null : html`<span>after</span> <em title="${after}">${withShortIds(after)}</em> · `}<span>expected</span> <em>${prose(expected)}</em> · <span>got</span> <b>${prose(observed.replace(/: too \w+ by (?:at least )?\d+%(?: against [^)]*\))?/g, ''))}</b></p>${places ?? null}${isFolded ? html`<details class="log"><summary>How it was shown</summary>${noted(notes)}</details>` : noted(notes)}`;

export const noted = (notes: readonly string[] = []): Markup =>
  html`${notes.map((note) => html`<p class="facts small">${prose(note)}</p>`)}`;

/** Ids are long; what is below has them whole. */
const withShortIds = (text: string) =>
  text.replaceAll(/(?=[\w-]*\d)[\w-]{17,}/g, (id) => `${id.slice(0, 8)}…${id.slice(-4)}`);

/**
 * The requests of a breach as commands, and each with its reply.
 * @param start of the run, in ISO time
 * @param isOpen whether the last exchange is unfolded, with the lines marked that show what is wrong
 */
export function requests(evidence: Evidence, start: string, isOpen = false): Markup {
  const { exchange, observed, requests: all } = evidence;
  const curls = new Set(all.map(({ curl }) => curl));
  // The same request many times is said once.
  const isOne = curls.size === 1 && all.length > 1;
  const [, lacks] = /^no ([a-z]+(?:-[a-z]+)+)$/i.exec(observed) ?? [];
  const isWrong = showing(lacks === undefined ? observed : `${lacks}: missing`);
  // A header that is missing has a line where it should stand.
  const withLine = (one: ReportExchange) =>
    lacks === undefined || one !== exchange ? one : { ...one, headers: { ...one.headers, [lacks]: 'missing' } };
  // Of a request only the place of its key can be wrong.
  const marks: Marks = { request: (line) => isWrong(line) && line.includes('$'), reply: isWrong };
  const shown = isOne ? [exchange] : all;
  return html`<h4>${isOne ? `Send it ${all.length} times` : 'Send it'}</h4>
${code(sendIt([...(isOne ? curls : all.map(({ curl }) => curl))]))}${shown.map((one) => exchangeDetails(withLine(one), start, isOpen && one === exchange ? marks : null))}`;
}

/**
 * The requests of a client: of the last one the lines are marked that are wrong, and of those before it what the client should have heeded.
 * @param shown by exchange, the card that has it already @param card the one that they are for
 */
export function clientRequests(
  { exchange, requests: all, expected, observed }: Evidence,
  start: string,
  isOpen: boolean,
  shown = new Map<number, string>(),
  card = '',
) {
  const heeded: Marks = { request: isNever, reply: showing(`${expected}; ${observed}`) };
  const [missing] = /^[\w-]+: missing$/.exec(observed) ?? [];
  const wrong: Marks = { request: showing(observed), reply: isNever, missing };
  return all.map((one, i) => {
    const earlier = shown.get(one.n);
    shown.set(one.n, earlier ?? card);
    if (earlier !== undefined)
      return html`<p class="facts small"><code>${one.method} ${withShortIds(placeOf(one))}</code>: <a href="#wrong-${earlier}">shown above</a></p>`;
    return exchangeDetails(one, start, isOpen ? (one === exchange ? wrong : heeded) : null, all[i - 1]);
  });
}

/** Path and query. */
const placeOf = ({ url }: ReportExchange) => withoutSignature(url.replace(/^\w+:\/\/[^/]*/, ''));

/** Which lines of a request and of its reply show what is wrong, and what the request lacks. */
type Marks = Readonly<Record<'request' | 'reply', IsMarked>> & { readonly missing?: string | undefined };
const isNever = () => false;

/**
 * A request with its reply, folded to one line, and unfolded where marks are given. What has no mark is folded where the other part has one.
 * @param before the request before it, from whose reply on the time is said
 */
function exchangeDetails(
  exchange: ReportExchange,
  start: string,
  marks: Marks | null,
  before?: ReportExchange,
): Markup {
  const { n, method, status, failure, requestBody, requestBytes, sentAt, doneAt, script } = exchange;
  const where = placeOf(exchange);
  const pause = before === undefined ? '' : `${durationInWords(sentAt - before.doneAt)} after that reply`;
  const isEarly = marks?.request(pause) ?? false;
  const size = requestBytes === 0 ? '' : `, ${requestBytes} bytes sent`;
  const request = [`${method} ${exchange.url}\n${headerLines(exchange.requestHeaders)}`, requestBody ?? ''];
  const reply = failure === null ? [`${status}\n${headerLines(exchange.headers)}`, exchange.body ?? ''] : [failure];
  const parts = (['request', 'reply'] as const).map((name, i) => {
    const texts = [request, reply][i]?.filter((text) => text !== '' && text !== 'no reply') ?? [];
    const shown = texts.map((text) => code(text, marks?.[name]));
    const { missing } = name === 'request' && marks !== null ? marks : {};
    // The place of a header is above the body.
    if (missing) shown.splice(missing.includes('-') ? 1 : 2, 0, html`<p><code><mark>${missing}</mark></code></p>`);
    return { name, shown, isMarked: shown.some(({ markup }) => markup.includes('<mark>')) };
  });
  const isNowhere = !isEarly && !parts.some(({ isMarked }) => isMarked);
  // What is missing has no line: the whole reply shows it.
  const tone = isNowhere && marks !== null && !Object.values(marks).includes(isNever) ? 'whole' : '';
  return html`<details class="exchange"${marks === null ? null : html` open`}><summary><span class="status">${status ?? 'no reply'}</span> <code title="${where}">${method} ${withShortIds(where)}</code> <span class="soft small">${withKey(exchange)}, +${durationInWords(sentAt - Date.parse(start))}${pause === '' ? null : html`, ${isEarly ? html`<mark>${pause}</mark>` : pause}`}<span class="more" title="${script}">, took ${durationInWords(doneAt - sentAt)}${size}; request ${n}</span></span></summary>
${parts.flatMap(({ name, shown, isMarked }) =>
  shown.length === 0
    ? []
    : marks === null || isMarked || (isNowhere && name === 'reply')
      ? html`<h4>${capital(name)}</h4><div class="${tone}">${shown}</div>`
      : html`<details class="log"><summary>${capital(name)}</summary>${shown}</details>`,
)}
</details>`;
}

/** Whether a line shows what was observed: the status, a list without its label, a key where none belongs, a field of another type, or an id, a header, a time or text that the words name. */
function showing(words: string): IsMarked {
  const [status] = /^\d{3}\b(?!, (?!with)| m?s)|(?<=\b(?:got|after) )\d{3}\b/.exec(words) ?? [];
  if (status !== undefined) return (line) => line === status;
  if (/^label .* missing$/.test(words)) return (line) => line.startsWith('labels: [');
  if (/^the (key|secret) /.test(words))
    return (line) => /\$\w*KEY/.test(line) && (!line.startsWith('x-api-key') || words.includes('x-api-key'));
  const fields = words.startsWith('another type: ') ? (words.match(/\w+(?=$|, )/g) ?? []) : [];
  const named = [...words.matchAll(/"([^"]{3,})"|[\w-]+: [^\s,;)]+|^[\d.]+ m?s$|[\w-]{12,}|^.{12,}(?= of \w+$)/g)].map(
    ([whole, quoted]) => (quoted ?? whole).toLowerCase(),
  );
  return (line) =>
    named.some((one) => line.toLowerCase().includes(one)) || fields.some((name) => line.startsWith(`${name}: `));
}

const headerLines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
