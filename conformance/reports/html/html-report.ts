import { stringify } from 'yaml';
import { ownCommand } from '../../../spec/package-facts.ts';
import { capital, code, html, type Markup, prose } from '../../../spec/report-page/markup.ts';
import { toMend } from '../../../spec/report-page/page.ts';
import { commandLine } from '../../../spec/text/shell-quoted.ts';
import { instantInWords } from '../../../spec/text/time-in-words.ts';
import { counted } from '../../counted.ts';
import { causesOf, type Failure, failuresIn } from '../failures.ts';
import type { Report, ReportRow } from '../report-schema.ts';
import { isLeftOut, missedWords, needsMore, sectionsOf, tookText } from '../sections.ts';
import { compared, filters, lawPage, lawsSection, requests, told } from './law-page.ts';
import { limiterStrip } from './limiter-strip.ts';

/**
 * One self-contained page: the verdict, what was left behind, what is wrong with its evidence, what could not be judged and what would change that, what was measured of
 * the limiter, then every rule by section of the contract. Sections without a failure are folded. The page is readable without scripts.
 */
/** @param json path of the JSON report that this run writes as well */
export function htmlReport(report: Report, _path?: string, json?: string): string {
  const { verdict, limiter, left } = report;
  const lists = sectionsOf(report).map(
    ({ title, items }) =>
      html`<h2>${prose(title)}</h2><div class="card"><ul>${items.map(({ ids = [], text }) => html`<li>${ids.map((id, i) => html`${i === 0 ? '' : ', '}<a href="#${id}">${id}</a>`)}${ids.length === 0 ? '' : ': '}${text}</li>`)}</ul></div>`,
  );
  // What is left behind somebody must undo, so it comes first.
  const urgent = lists.splice(0, left.length > 0 ? 1 : 0);
  return lawPage(
    `${verdict}: ${report.target.baseUrl}`,
    html`${head(report)}
${urgent}
${findings(report, json)}
${lists}
${limiter === null || limiter.samples.length === 0 ? null : limiterStrip(limiter)}
<h2 id="rules">The contract, section by section</h2>
<p class="soft small">The verdict counts the rules that the specification documents as a must. The number beside a rule says to how many replies or records it applied.</p>
${filters(report.outcomes)}
${sections(report)}
${footer(report)}`,
  );
}

function head({ verdict, sentence, target, rows, ...report }: Report): Markup {
  const leftOut = rows.filter(({ outcome }) => outcome === 'not-selected');
  const musts = leftOut.filter(isLeftOut);
  const isPart = !musts.every(needsMore);
  const needs = new Set(leftOut.filter(needsMore).map(({ message }) => message.replace('it needs ', '')));
  const others = leftOut.length - musts.length;
  const words = [musts.length && counted(musts.length, 'must'), others && counted(others, 'other rule')];
  return html`<header class="card verdict ${verdict}">
<p class="soft small">Conformance of <code>${target.baseUrl}</code></p>
<h1>${capital(verdict)}${isPart && verdict === 'conformant' ? ', in the part that was judged' : ''}${report.interrupted ? ' (interrupted)' : ''}</h1>
<p>${sentence}${leftOut.length === 0 ? '' : `; ${words.filter(Boolean).join(' and ')} left out${needs.size === 0 ? '' : ` (needs ${[...needs].join(', ')})`}`}.${!isPart ? null : html` <b>Only a part of the contract was judged</b>; what is left out is named below.`}</p>
${!report.interrupted ? null : html`<p><b>Not all was tried.</b> What passed or failed stands; of what is named below as not run or not judged this run says nothing. A run cannot be taken up again. Begin anew${target.command === undefined ? ', with the options of this run' : ''}:</p>${code(target.command ?? commandLine([...ownCommand(), 'conformance', 'run', '--target', target.file ?? 'target.yaml']))}`}
<p class="soft small">Tenant ${target.tenants[0] ?? ''}${target.tenants[1] ? `, stranger ${target.tenants[1]}` : ''}; ${instantInWords(report.startedAt)}; ${tookText(report)}; partnerkit ${report.kit}</p>
</header>`;
}

/** A broken must without a waiver, or an error of the runner. */
const isWrong = ({ outcome, waived }: ReportRow): boolean => (outcome === 'fail' && !waived) || outcome === 'error';

/** What is wrong: first what others follow from, then the most frequent, last what only gets a warning. Rules that are broken in the same way are one card. */
function findings(report: Report, json: string | undefined): Markup | null {
  const shown = report.rows.filter((row) => isWrong(row) || row.outcome === 'warn');
  if (shown.length === 0) return null;
  shown.sort((a, b) => Number(isWrong(b)) - Number(isWrong(a)) || b.broken - a.broken);
  const failures = failuresIn(report, shown);
  const causes = causesOf(failures.filter(({ row }) => isWrong(row)));
  const leads = new Set(causes.values());
  const after = (lead: Failure) => failures.filter((one) => causes.get(one) === lead);
  const ordered = new Set([...leads, ...failures].flatMap((one) => [one, ...after(one)]));
  const line = (one: Failure) =>
    html`<li><a href="#wrong-${one.row.id}">${titleOf(one)}</a> ${leads.has(one) ? html`<b>do this first</b>` : html`<span class="soft small">${one.row.outcome === 'warn' ? 'a warning' : causes.has(one) ? 'seems to follow' : ''}</span>`}</li>`;
  const shownBy = (one: Failure) => finding(one, report, { isLead: leads.has(one), lead: causes.get(one), json });
  return html`<h2 id="wrong">${shown.some(isWrong) ? 'What is wrong' : 'What to look at'}</h2>${json === undefined ? html`<p class="soft small">Each failure is reproduced from <code>report.json</code>, which a run with <code>--report json=report.json</code> writes.</p>` : null}${ordered.size < 2 ? null : html`<ol class="card causes">${[...ordered].map(line)}</ol>`}${[...ordered].map(shownBy)}`;
}

function finding(
  { row, others, evidence, where }: Failure,
  { startedAt, limiter, target: { file = 'target.yaml' } }: Report,
  { isLead, lead, json = 'report.json' }: { isLead: boolean; lead: Failure | undefined; json: string | undefined },
): Markup {
  // One reply of many shows nothing of a limiter; its picture does, where the note has the figures.
  const isPicture = row.area === 'limiter' && row.breaches[0]?.note !== undefined && (limiter?.samples.length ?? 0) > 0;
  const isThere = isPicture && limiter?.key === evidence?.exchange.key;
  const shown = html`${isThere ? html`<p class="small"><a href="#limiter">The strip of requests</a> shows the moments.</p>` : null}
${row.outcome === 'error' ? null : html`<h4>Reproduce it</h4>${code(commandLine([...ownCommand(), 'conformance', 'reproduce', json, row.id, '--target', file]))}`}
${evidence && !isPicture ? requests(evidence, startedAt, true) : null}`;
  return html`<article class="card finding ${row.outcome}" id="wrong-${row.id}"><h3>${row.outcome === 'warn' ? html`<span class="badge warn">warning</span> ` : null}${prose(titleOf({ row, others, evidence }))}</h3>
${isLead ? html`<p class="small"><b>Do this first:</b> the cards below that name it seem to follow from it.</p>` : null}
${evidence ? compared(evidence) : told(row.message)}
${lead ? html`<p class="mend"><b>Mend <a href="#wrong-${lead.row.id}">${lead.row.id}</a> first:</b> the same requests show both, or take for granted what is wrong there. Then judge this rule again.</p>` : row.outcome === 'error' ? null : toMend(row.rule.id)}
${others.length === 0 ? html`<p class="facts soft small">${link(row)}</p>` : html`<ul class="facts soft small">${[row, ...others].map((one) => html`<li>${link(one)}: ${prose(one.rule.text)}</li>`)}</ul>`}
${where === '' ? null : html`<p class="facts soft small">In ${prose(where)}</p>`}
${lead ? html`<details class="log screen"><summary>Its requests</summary>${shown}</details>` : shown}</article>`;
}

/** The rule, or what several rules have in common. */
function titleOf({ row: { rule }, others: { length }, evidence }: Omit<Failure, 'where'>): string {
  const { expected = '', observed = '' } = evidence ?? {};
  if (length === 0) return rule.text;
  if (!/^\d{3}\b/.test(observed)) return `${rule.text} (and ${counted(length, 'more rule')})`;
  return `${length + 1} rules: ${observed} where ${expected.replace(/ \(.*\)$/, '')} was expected`;
}

const link = ({ id, applied, broken, rule: { level, section } }: ReportRow) =>
  html`<a href="#${id}">${id}</a> · ${level} · ${section}${broken === 0 ? null : ` · broken ${broken} of ${applied} times`}`;

/** The laws by section of the contract, last together those of which nothing was selected. */
function sections({ rows, ...report }: Report): Markup {
  const judged = new Set(rows.flatMap(({ outcome, rule }) => (outcome === 'not-selected' ? [] : [rule.section])));
  const others = 'Other sections';
  const groups = Map.groupBy(rows, ({ rule: { section } }) => (judged.has(section) ? section : others));
  const last = [...groups].toSorted(([a], [b]) => Number(a === others) - Number(b === others));
  return html`${last.map(([title, some]) => lawsSection(report, title, some, '', some.some(isWrong)))}`;
}

function footer({ requests: sent, profile, rows }: Report): Markup {
  const learned = Object.keys(profile).length === 0 ? null : stringify(profile);
  return html`<details class="section"><summary><h3>Requests, and what this run can see</h3></summary><p>${capital(missedWords(rows))}.</p><p>Requests: ${Object.entries(sent).map(([key, count], i) => html`${i === 0 ? '' : ', '}${key === '-' ? 'without a key' : key} ${count}`)}.</p></details>
${learned === null ? null : html`<details class="section profile"><summary><h3>What this deployment does where the specification is silent</h3></summary>${code(learned)}</details>`}`;
}
