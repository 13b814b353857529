import { ownCommand } from '../../../spec/package-facts.ts';
import { capital, code, html, type Markup, prose } from '../../../spec/report-page/markup.ts';
import { toMend } from '../../../spec/report-page/page.ts';
import { commandLine } from '../../../spec/text/shell-quoted.ts';
import { instantInWords } from '../../../spec/text/time-in-words.ts';
import { counted } from '../../counted.ts';
import { againOf, type Failure, failuresIn, isMeasure, isWrong, measuredFor, remediesOf } from '../failures.ts';
import type { Report, ReportRow } from '../report-schema.ts';
import { filters, leftOutOf, missedWords, sectionsOf, tookText, verdictWords } from '../sections.ts';
import { compared, lawPage, lawsList, requests, shareBar, told, withLinks } from './law-page.ts';
import { bucketEvidence, limiterStrip } from './limiter-strip.ts';

/**
 * One self-contained page: the verdict, what is wrong with its evidence, what was left behind, what could not be judged and what would change that, what was measured of
 * the limiter, then every rule by outcome and by section of the contract. The page is readable without scripts.
 * @param json path of the JSON report that this run writes as well
 */
export function htmlReport(report: Report, _path?: string, json?: string): string {
  const { verdict, limiter } = report;
  const lists = sectionsOf(report).map(({ title, items }) => {
    const [said = '', toDo, command] = title.split(/; (.+) `(.+)`$/);
    const list = html`<ul>${items.map(({ ids, text }) => html`<li>${withLinks(prose(capital(text)), ids)}</li>`)}</ul>`;
    return html`<h2>${prose(said)}</h2><div class="card">${command === undefined ? list : html`<p>${capital(toDo ?? '')}:</p>${code(command)}<details class="log"><summary>Which</summary>${list}</details>`}</div>`;
  });
  return lawPage(
    `${verdict}: ${report.target.baseUrl}`,
    html`${head(report, json)}
${findings(report, json)}
${limiter === null || limiter.samples.length === 0 ? null : limiterStrip(limiter)}
${lists}
<h2 id="rules">Every rule of the contract</h2>
<p class="soft small">The verdict counts the rules that the specification documents as a must.</p>
${lawsList(report, report.rows, ({ rule }) => rule.section)}
${footer(report)}`,
  );
}

function head(report: Report, json: string | undefined): Markup {
  const { verdict, sentence, target, mustRules } = report;
  const { words, musts, needs, isPart } = leftOutOf(report);
  const isCut = report.interrupted || report.blocked !== undefined;
  return html`<header class="card verdict ${verdict}${isPart ? ' part' : ''}">
<p class="soft small">Conformance of <code>${target.baseUrl}</code></p>
<h1>${capital(verdictWords(report))}</h1>
<p>${prose([sentence.replace('; interrupted', ''), ...words].join('; '))}.</p>
${shareBar({ ...mustRules, 'not-selected': musts })}
${isCut ? cutOff(report, json) : verdict === 'non-conformant' ? html`<p>When it is mended:</p>${code(again(target, json))}` : isPart || (words.length > 0 && verdict === 'conformant') ? whole(target, needs) : null}
<p class="soft small">Tenant ${target.tenants[0] ?? ''}${target.tenants[1] ? `, stranger ${target.tenants[1]}` : ''}; ${instantInWords(report.startedAt)}; ${tookText(report)}; partnerkit ${report.kit}</p>
</header>`;
}

/** How far a run came that did not come to its end, and how it goes on. */
function cutOff({ target, scripts, interrupted }: Report, json?: string): Markup {
  const longer = target.command?.includes('--max-duration') ? ', with a longer --max-duration' : '';
  return html`<p><b>${interrupted ? 'Interrupted' : 'Ended early'}:</b> not all was tried. ${scripts === undefined ? null : `${scripts.ended} of ${counted(scripts.ended + scripts.stopped, 'script')} came to their end. `}What passed or failed stands; the others are named below.</p>
<p>${json === undefined ? prose(`Begin anew${longer}`) : 'Go on with what is not settled'}:</p>${code(again(target, json))}`;
}

const runOf = (file = 'target.yaml') => commandLine([...ownCommand(), 'conformance', 'run', '--target', file]);
/** Other names for the reports of another run, so that those of this one stay. */
const renamed = (command: string) =>
  command.replaceAll(/ --report[ =](?:'[^']*'|\S+)/g, (files) => files.replaceAll(/\.\w+(?=[,']|$)/g, '-again$&'));

/** The same run again; where its report can be read, only what it has not found kept. */
const again = ({ file, command }: Report['target'], json: string | undefined) =>
  json === undefined
    ? (command ?? `${runOf(file)} # with the options of this run`)
    : `${renamed((command ?? runOf(file)).replaceAll(filters, ''))} ${commandLine(['--only-failed', json])}`;

/** The command that judges what a run left out as well. */
function whole({ file, command = runOf(file) }: Report['target'], needs: ReadonlySet<string>): Markup {
  const flags = [...needs].flatMap((words) => words.match(/--[\w-]+/g) ?? []);
  const others = [...needs].filter((words) => !words.includes('--'));
  return html`<p>To judge the rest${others.length === 0 ? '' : `, except what needs ${others.join(', ')}`}:</p>${code([command.replaceAll(filters, ''), ...new Set(flags)].join(' '))}`;
}

/** What needs a look. Rules that are broken in the same way are one card. */
function findings(report: Report, json: string | undefined): Markup | null {
  const shown = failuresIn(report).filter(({ row }) => !row.waived);
  if (shown.length === 0) return null;
  const line = (one: Failure) =>
    html`<li><a href="#wrong-${one.row.id}">${prose(one.row.rule.text)}</a> ${one.isLead ? html`<b>do this first</b>` : html`<span class="small ${one.lead ? '' : one.row.outcome}">${one.lead ? 'seems to follow' : one.row.outcome}</span>`}</li>`;
  return html`<h2 id="wrong">${report.rows.some(isWrong) ? 'What is wrong' : 'What to look at'}</h2>${shown.length < 2 ? null : html`<ol class="card causes">${shown.map(line)}</ol>`}${shown.map((one) => finding(one, report, json))}`;
}

function finding(one: Failure, { startedAt, limiter, target }: Report, json: string | undefined): Markup {
  const { row, others, evidence, where, isLead, lead } = one;
  const measured = measuredFor(one, limiter);
  const compare = bucketEvidence(one, measured);
  const rules = [row, ...others];
  const places = html`<p class="facts soft small">${where === '' ? null : html`in ${prose(where)}${others.length === 0 ? ' · ' : null}`}${others.length === 0 ? link(row) : null}</p>
${others.length === 0 ? null : html`<ul class="facts soft small">${rules.map((each) => html`<li>${link(each)}${each === row ? null : html`: ${prose(each.rule.text)}`}</li>`)}</ul>`}`;
  // One reply of many shows nothing of a limiter.
  const shown = html`${measured ? html`<p class="small"><a href="#limiter">The strip of requests</a> shows the moments.</p>` : null}
${row.outcome === 'error' ? null : html`<h4>${row.outcome === 'inconclusive' ? 'Decide it' : 'Reproduce it'}</h4>${code(againOf(one, target, json))}`}
${evidence === undefined || isMeasure(row) ? null : seen(requests(evidence, startedAt, true), row.outcome === 'warn')}`;
  const mend = lead
    ? html`<p class="mend"><b>Mend <a href="#wrong-${lead.row.id}">${lead.row.id}</a> first:</b> this seems to follow from it. Then judge this rule again.</p>`
    : row.outcome === 'error'
      ? null
      : row.outcome === 'inconclusive'
        ? html`<p class="mend"><b>Not decided:</b> ${row.message}.</p>`
        : html`${isLead ? html`<p class="small"><b>Do this first:</b> the cards below that name it seem to follow from it.</p>` : null}${toMend(remediesOf(one, limiter))}`;
  return html`<article class="card finding ${row.outcome}" id="wrong-${row.id}"><h3><span class="badge ${row.outcome}">${row.outcome}</span> ${prose(row.rule.text)}</h3>
${compare ? compared(compare, rules.length, html`${mend}${places}`, isMeasure(row)) : html`${told(row.message)}${mend}${places}`}
${seen(shown, lead !== undefined)}</article>`;
}

/** What was seen, folded and not on paper where a card needs it not: it follows from another one, or breaks no must. */
const seen = (shown: Markup, isFolded: boolean): Markup =>
  isFolded ? html`<details class="log screen"><summary>What was seen</summary>${shown}</details>` : shown;

const link = ({ id, rule, broken, outcome }: ReportRow) =>
  html`<a class="option" href="#${id}">${id}</a> · ${rule.level} · ${rule.section}${broken === 0 ? ` · ${outcome}` : null}`;

const footer = ({ requests: sent, rows }: Report): Markup =>
  html`<details class="section"><summary><h3>Requests, and what this run can see</h3></summary><p>${capital(missedWords(rows))}.</p><table><tr><th>Key</th><th class="number">Requests</th></tr>${Object.entries(sent).map(([key, count]) => html`<tr><td>${key === '-' ? 'none' : key}</td><td class="number">${count}</td></tr>`)}</table></details>`;
