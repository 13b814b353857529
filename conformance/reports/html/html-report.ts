import { stringify } from 'yaml';
import { html, type Markup } from '../../../spec/report-page/markup.ts';
import { leftAdvice } from '../left-in.ts';
import { missedWords } from '../missed.ts';
import { gainWords, leftOutWords, missingFields } from '../missing-fields.ts';
import type { LimiterRun, Report, ReportRow } from '../report-schema.ts';
import { tookInWords } from '../took-in-words.ts';
import { filters } from './filters.ts';
import { findings, isWrong } from './findings.ts';
import { lawDetails } from './law-details.ts';
import { lawPage } from './law-page.ts';
import { limiterPicture } from './limiter-picture.ts';

/**
 * One self-contained page: the verdict, what is wrong with its evidence, what could not be judged and what would change that, the picture of
 * the limiter, then every rule by section of the contract. Sections without a failure are folded. The page is readable without scripts.
 */
export function htmlReport(report: Report): string {
  const { verdict, limiter } = report;
  return lawPage(
    `${verdict}: ${report.target.baseUrl}`,
    html`${head(report)}
${findings(report)}
${unjudged(report)}
${availability(report)}
${limiter === null || limiter.samples.length === 0 ? null : limiterSection(limiter)}
<h2 id="rules">The contract, section by section</h2>
<p class="soft small">The verdict counts the rules that the specification documents as a must. The number beside a rule says to how many replies or records it applied. <b>pass</b> kept, <b>fail</b> a must is broken, <b>warn</b> a should is broken, <b>observed</b> what this deployment does where the specification is silent, <b>inconclusive</b> seen and undecided, <b>not run</b> nothing to judge.</p>
${filters(report.outcomes)}
${[...Map.groupBy(report.rows, ({ rule }) => rule.section)].map(([section, rows]) => sectionDetails(report, section, rows))}
${footer(report)}`,
  );
}

const looks = { conformant: 'pass', 'non-conformant': 'fail', incomplete: 'warn' } as const;

function head({ verdict, sentence, target, waivers, ...report }: Report): Markup {
  return html`<header class="card verdict ${looks[verdict]}">
<p class="soft small">Conformance of <code>${target.baseUrl}</code></p>
<h1>${verdict[0]?.toUpperCase() ?? ''}${verdict.slice(1)}${report.interrupted ? ' (interrupted)' : ''}</h1>
<p>${sentence}.</p>
<p class="soft small">Tenant ${target.tenants[0] ?? ''}${target.tenants[1] ? `, stranger ${target.tenants[1]}` : ''}; ${report.startedAt.replace('T', ' ').replace(/\..*/, ' UTC')}; ${tookInWords(report)}; partnerkit ${report.kit}</p>
</header>
${
  waivers.length === 0
    ? null
    : html`<h2>Waivers</h2><div class="card table" role="region" aria-label="Waivers" tabindex="0"><table><thead><tr><th>Rule</th><th>State</th><th>Reason</th><th>Owner</th><th>Until</th></tr></thead><tbody>${waivers.map(
        ({ id, state, reason, owner, expires }) =>
          html`<tr><td><a href="#${id}">${id}</a></td><td>${state.replace('-', ' ')}</td><td>${reason}</td><td>${owner}</td><td class="date">${expires}</td></tr>`,
      )}</tbody></table></div>`
}`;
}

/** What is undecided, the field of the target file that would change most of that, and the other fields. */
function unjudged(report: Report): Markup | null {
  const undecided = report.rows
    .filter(({ outcome }) => outcome === 'inconclusive')
    .map(({ id, message }) => html`<li><a href="#${id}">${id}</a>: ${message}</li>`);
  const [first, ...others] = report.gains;
  const leftOut = leftOutWords(report.rows);
  const items = [
    ...undecided,
    ...others.map((gain) => html`<li><code>${gain.field}</code> in the target file would add ${gainWords(gain)}</li>`),
    ...(leftOut === '' ? [] : [html`<li>Left out, and what they need: ${leftOut}</li>`]),
    ...report.left.map((what) => html`<li>Left behind: ${what}; ${leftAdvice([what])}</li>`),
  ];
  const missing = missingFields(report.rows).map(
    ([why, ids]) => html`<li>${why}: ${ids.map((id) => html`<a href="#${id}">${id}</a> `)}</li>`,
  );
  if (first === undefined && items.length + missing.length === 0) return null;
  return html`<h2>What could not be judged, and what would change it</h2><div class="card">
${first ? html`<p>Adding <b><code>${first.field}</code></b> to the target file would help most: ${gainWords(first)}.</p>` : null}
${items.length > 0 ? html`<ul>${items}</ul>` : null}
${missing.length > 0 ? html`<details class="needs"><summary>Rule by rule, what it needs</summary><ul>${missing}</ul></details>` : null}</div>`;
}

function availability(report: Report): Markup | null {
  if (report.availability.length === 0) return null;
  const rows = report.availability.map(
    ({ operation, requests, errors, lost, throttled }) =>
      html`<tr><td>${operation}</td><td class="number">${requests}</td><td class="number">${errors}</td><td class="number">${lost}</td><td class="number">${throttled}</td></tr>`,
  );
  return html`<h2>Not always available</h2><div class="card table" role="region" aria-label="Not always available" tabindex="0"><table><thead><tr><th>Operation</th><th class="number">Requests</th><th class="number">5xx</th><th class="number">No reply</th><th class="number">429 below the rate</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function sectionDetails(report: Report, section: string, rows: readonly ReportRow[]): Markup {
  const counts = Object.keys(report.outcomes).flatMap((outcome) => {
    const count = rows.filter((row) => row.outcome === outcome).length;
    return count === 0 ? [] : [`${count} ${outcome.replace('-', ' ')}`];
  });
  const open = rows.some(isWrong) ? html` open` : null;
  return html`<details class="section"${open}><summary><h3>${section}</h3><span class="soft small">${counts.join(', ')}</span></summary>${rows.map((row) => lawDetails(report, row))}</details>`;
}

function limiterSection(limiter: LimiterRun): Markup {
  const { counts, limit, measured, reason, verdict } = limiter.judgement;
  return html`<h2 id="limiter">Rate limiter</h2><figure class="card">
<ul class="legend"><li><span class="key curve"></span>admitted so far</li><li><span class="key offered"></span>sent so far</li><li><span class="key bound"></span>what honest readings of the limit admit</li><li><span class="key throttled"></span>throttled</li></ul>
<div class="wide-only">${limiterPicture(limiter, { width: 1060, height: 400 })}</div><div class="narrow-only">${limiterPicture(limiter, { width: 360, height: 300 })}</div>
<figcaption><p><b>${verdict.replace('-', ' ')}</b>: ${reason}.</p><p class="soft small">Declared ${limit.perSecond} per second, burst ${limit.burst}. ${counts.admitted} admitted, ${counts.throttled} throttled, ${counts.refused} refused, ${counts.unknown} without an answer. ${measured.bucket ? `Measured rate ${interval(measured.rate)} per second, burst ${interval(measured.burst)}.` : 'No token bucket explains all of it.'}</p></figcaption>
</figure>`;
}

const interval = ({ low, high }: { low: number | null; high: number | null }) =>
  `${low === null ? 'any' : low.toFixed(1)} to ${high === null ? 'any' : high.toFixed(1)}`;

function footer({ requests, profile, rows }: Report): Markup {
  const sent = Object.entries(requests).map(
    ([key, count]) => html`<tr><td>${key === '-' ? 'without a key' : key}</td><td class="number">${count}</td></tr>`,
  );
  const seen = missedWords(rows);
  const learned = Object.keys(profile).length === 0 ? null : stringify(profile);
  return html`<details class="section"><summary><h3>Requests, and what this run can see</h3></summary><p>${seen}</p><div class="card table" role="region" aria-label="Requests" tabindex="0"><table><thead><tr><th>Key</th><th class="number">Requests</th></tr></thead><tbody>${sent}</tbody></table></div></details>
${learned === null ? null : html`<details class="section"><summary><h3>What this deployment does where the specification is silent</h3></summary><pre tabindex="0">${learned}</pre></details>`}`;
}
