import { counted } from '../../../conformance/counted.ts';
import { evidenceOf } from '../../../conformance/reports/failures.ts';
import {
  clientRequests,
  compared,
  lawPage,
  lawsList,
  noted,
  shareBar,
  withLinks,
} from '../../../conformance/reports/html/law-page.ts';
import { operationIds } from '../../../spec/operations.ts';
import { capital, code, html, type Markup, prose } from '../../../spec/report-page/markup.ts';
import { durationInWords, instantInWords } from '../../../spec/text/time-in-words.ts';
import { type ClientReport, type ClientRow, casesText, findingsIn, unjudgedIn, verdictWords } from './client-report.ts';

const kinds: Readonly<Record<ClientRow['kind'], string>> = {
  duty: 'Duties: the requests of the client, judged by what the contract asks and by what we assume',
  fault: 'Faults: the client again, with one thing going wrong at a time, and the resulting state compared',
  freedom: 'Freedoms: the client again, with a service that does something in another way that is just as correct',
};

/** One self-contained page: the verdict, a card for each remedy, the least scopes, then every duty, fault and freedom. */
export function clientHtmlReport(report: ClientReport): string {
  const found = findingsIn(report.rows);
  const shown = new Map<number, string>();
  const { line, needed, notNeeded } = report.scopes;
  const uncalled = operationIds.filter((id) => !(id in report.operations));
  const body = html`${head(report)}
${found.length === 0 ? null : html`<h2 id="wrong">${report.verdict === 'not-certified' ? 'What to mend' : 'What to look at'}</h2>`}
${found.length < 2 ? null : html`<ol class="card causes">${found.map(({ title, row, words }) => html`<li><a href="#wrong-${row.id}">${prose(title)}</a> <span class="small ${row.outcome}">${words}</span></li>`)}</ol>`}
${found.map((one) => card(report, one, shown))}
${unjudged(report)}
<h2 id="scopes">Least scopes</h2><div class="card">${needed.length === 0 ? html`<p>The key of this client needs no scope for what was seen.</p>` : html`<p>The key of this client needs these scopes and no others. Choose them in the portal:</p>${code(line)}`}${notNeeded.length === 0 ? null : html`<p class="soft small">Not needed: ${notNeeded.join(' ')}.</p>`}${uncalled.length === 0 ? null : html`<p class="soft small">Not called: ${uncalled.join(', ')}.</p>`}</div>
<h2 id="rules">Everything that was tried</h2>
${tried(report)}`;
  return lawPage(`${capital(verdictWords(report))}: ${report.subject}`, body);
}

function head(report: ClientReport): Markup {
  const { verdict, sentence, subject, runs, startedAt, durationMilliseconds, kit, notes, again, outcomes } = report;
  const words = verdictWords(report);
  return html`<header class="card verdict ${words === 'certified in part' ? 'warn' : verdict}">
<p class="soft small">Certification of <code>${subject}</code></p>
<h1>${capital(words)}</h1>
<p>${prose(capital(sentence))}.</p>
${shareBar(outcomes)}
<p class="legend">${Object.entries(outcomes).map(([outcome, count]) => (count === 0 ? html`` : html`<span class="badge ${outcome}">${count} ${outcome.replace('-', ' ')}</span>`))}</p>
${again === null ? null : html`<p>To certify again:</p>${code(again)}`}
${notes.map((note) => note.split(/ `([^`]+)`$/)).map(([said = '', command]) => html`<p>${prose(said)}${command === undefined ? '.' : ':'}</p>${command === undefined ? null : code(command)}`)}
<p class="soft small">${runs === 0 ? '' : `${counted(runs, 'run')} of the command; `}${instantInWords(startedAt)}; took ${durationInWords(durationMilliseconds)}; partnerkit ${kit}</p>
</header>`;
}

/** The remedy first, because the reader is the person who mends the client; then all that shows that it is needed. @param shown by exchange, the card that has it */
function card(
  report: ClientReport,
  { title, row, others, words }: ReturnType<typeof findingsIn>[number],
  shown: Map<number, string>,
): Markup {
  const { id, outcome } = row;
  const all = [row, ...others];
  const isShared = outcome === 'inconclusive' && others.length > 0;
  return html`<article class="card finding ${outcome}" id="wrong-${id}"><h3><span class="badge ${outcome}">${words}</span> ${prose(title)}</h3>
${isShared ? html`<p class="small">${all.map((one) => html`<a href="#${one.id}">${one.id}</a> `)}</p>` : all.map((one) => shownOf(report, one, id, shown))}</article>`;
}

function shownOf(report: ClientReport, row: ClientRow, card: string, shown: Map<number, string>): Markup {
  const { id, kind, outcome, rule, message, again, output, broken, applied } = row;
  const [evidence] = evidenceOf(report, row);
  // What a duty judges is the request; where something was varied, the cases say more.
  const isRequest = kind === 'duty' && evidence !== undefined;
  const command = again === null ? null : code(again);
  const isPrinted = isRequest && output !== null;
  const cause = isRequest || output === null ? '' : causeIn(output);
  const more = html`${output === null ? null : html`<h4>What the command printed</h4>${code(output, isPrinted ? () => true : isOwnLine)}`}
${evidence && !isPrinted ? clientRequests(evidence, report.startedAt, true, shown, card) : null}`;
  return html`<section>${isRequest ? compared(evidence) : html`<p class="got"><b>${prose(capital(message))}</b></p>${cause && code(cause, isOwnLine)}${noted(evidence?.notes)}`}
<p class="facts soft small">${prose(rule.text)} <a href="#${id}">${rule.id}</a>, ${rule.provenance}, ${rule.level}${broken > 1 && isRequest ? ` (${broken} of ${applied} times)` : null}</p>
${noted([casesText(row)].filter(Boolean))}
${outcome === 'warn' ? html`<details class="log"><summary>Reproduce it<span class="screen">, and what was seen</span></summary>${command}<div class="screen">${more}</div></details>` : html`${command === null ? null : html`<h4>Reproduce it</h4>`}${command}${more}`}</section>`;
}

/** Where in the client an error comes from. */
const isOwnLine = (line: string) => /^\s+(?:at|File)\b(?!.*(?:node:|node_modules|site-packages|\/lib\/))/.test(line);

/** The error, and the place in the client that is next to it. Where the error comes last, the places are above it. */
function causeIn(output: string): string {
  const lines = output.split('\n');
  const error = lines.findIndex((line) => /(error|exception)\b.*:/i.test(line) && !isOwnLine(line));
  const place = lines.slice(error + 1).find(isOwnLine) ?? lines.findLast(isOwnLine);
  return [lines[error], place].flatMap((line) => line ?? []).join('\n');
}

/** All laws by outcome, and by kind. */
const tried = (report: ClientReport): Markup =>
  lawsList(
    report,
    report.rows.map(({ rule, ...row }) => ({
      ...row,
      name: Object.keys(row.cases).join(', ') || row.id,
      rule: row.kind === 'duty' ? rule : { ...rule, text: `${capital(row.title)}: ${rule.text}` },
    })),
    ({ kind }) => kinds[kind],
  );

/** What nobody knows of the client. */
function unjudged(report: ClientReport): Markup | null {
  const { groups, hint } = unjudgedIn(report);
  if (groups.length === 0) return null;
  return html`<h2 id="unjudged">Not run</h2><div class="card"><p>${prose(hint)}</p><ul>${groups.map(({ text, ids }) => html`<li>${withLinks(prose(capital(text)), ids)}</li>`)}</ul></div>`;
}
