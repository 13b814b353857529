import { createHash } from 'node:crypto';
import { stringify } from 'yaml';
import { missingFields } from '../missing-fields.ts';
import type { LimiterRun, Report, ReportRow } from '../report-schema.ts';
import { tookInWords } from '../took-in-words.ts';
import { checkDetails } from './check-details.ts';
import { limiterPicture } from './limiter-picture.ts';
import { html, type Markup } from './markup.ts';
import { script } from './script.ts';
import { style } from './style.ts';

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing is loaded from anywhere, and only this page's own script and style run. */
const policy = `default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; base-uri 'none'; form-action 'none'`;

/** One self-contained page: verdict, limiter picture, every check with its evidence. It reads without scripts too. */
export function htmlReport(report: Report): string {
  const { rows, verdict, limiter } = report;
  const areas = [...new Set(rows.map(({ area }) => area))];
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${verdict}: ${report.target.baseUrl}</title>
<style>${{ markup: style }}</style>
</head>
<body>
<main>
${head(report)}
${wentWrong(rows)}
${notRun(rows)}
${limiter === null || limiter.samples.length === 0 ? null : limiterSection(limiter)}
<h2 id="checks">Checks</h2>
<ul class="chips" aria-label="Filter by outcome">${chips(report)}</ul>
<div class="filters"><input id="text" type="search" placeholder="Search ids, rules, messages" aria-label="Search ids, rules, messages"><select id="area" aria-label="Area"><option value="">all areas</option>${areas.map((area) => html`<option>${area}</option>`)}</select><button type="button" id="expand" aria-pressed="false">open or close all</button><span id="shown" class="soft small" role="status"></span></div>
${areas.map((area) =>
  areaSection(
    area,
    rows.filter((row) => row.area === area),
  ),
)}
${footer(report)}
</main>
<script>${{ markup: script }}</script>
</body>
</html>
`;
  return page.markup;
}

function head({ verdict, sentence, target, waivers, ...report }: Report): Markup {
  return html`<header class="card verdict ${verdict}">
<p class="soft small">Conformance of <code>${target.baseUrl}</code></p>
<h1>${verdict[0]?.toUpperCase() ?? ''}${verdict.slice(1)}${report.interrupted ? ' (interrupted)' : ''}</h1>
<p>${sentence}.</p>
<p class="soft small">Tenant ${target.tenants[0] ?? ''}${target.tenants[1] ? `, stranger ${target.tenants[1]}` : ''}; ${report.startedAt.replace('T', ' ').slice(0, 19)} UTC, ${tookInWords(report)}; partnerkit ${report.kit}</p>
</header>
${
  waivers.length === 0
    ? null
    : html`<h2>Waivers</h2><div class="card table"><table><thead><tr><th>Check</th><th>State</th><th>Reason</th><th>Owner</th><th>Until</th></tr></thead><tbody>${waivers.map(
        ({ id, state, reason, owner, expires }) =>
          html`<tr><td><a href="#${id}">${id}</a></td><td>${state.replace('-', ' ')}</td><td>${reason}</td><td>${owner}</td><td class="date">${expires}</td></tr>`,
      )}</tbody></table></div>`
}`;
}

function chips({ outcomes }: Report): Markup[] {
  return Object.entries(outcomes)
    .filter(([, count]) => count > 0)
    .map(
      ([outcome, count]) =>
        html`<li><button type="button" class="chip ${outcome}" value="${outcome}" aria-pressed="false"><b>${count}</b> ${outcome.replace('-', ' ')}</button></li>`,
    );
}

function wentWrong(rows: readonly ReportRow[]): Markup | null {
  const wrong = rows.filter(({ outcome, waived }) => (outcome === 'fail' && !waived) || outcome === 'error');
  if (wrong.length === 0) return null;
  const items = wrong.map(({ id, rule }) => html`<li><a href="#${id}">${id}</a>: ${rule.text}</li>`);
  return html`<h2>What is wrong</h2><div class="card"><ul>${items}</ul></div>`;
}

function notRun(rows: readonly ReportRow[]): Markup | null {
  const missing = missingFields(rows);
  if (missing.length === 0) return null;
  const items = missing.map(
    ([why, ids]) => html`<li>${why}: ${ids.map((id) => html`<a href="#${id}">${id}</a> `)}</li>`,
  );
  return html`<h2>What could not run</h2><div class="card"><ul>${items}</ul></div>`;
}

function areaSection(area: string, rows: readonly ReportRow[]): Markup {
  const counts = [...Map.groupBy(rows, ({ outcome }) => outcome)].map(
    ([outcome, those]) => `${those.length} ${outcome.replace('-', ' ')}`,
  );
  const heading = html`<h2>${area}<span class="soft small">${counts.join(', ')}</span></h2>`;
  return html`<section class="area">${heading}${rows.map(checkDetails)}</section>`;
}

function limiterSection(limiter: LimiterRun): Markup {
  const { counts, limit, measured, reason, verdict } = limiter.judgement;
  return html`<h2 id="limiter">Rate limiter</h2><figure class="card picture">
<ul class="legend"><li><span class="key a"></span>admitted so far</li><li><span class="key o"></span>sent so far</li><li><span class="key b"></span>what honest readings of the limit admit</li><li><span class="key t"></span>throttled</li></ul>
<div class="wide-only">${limiterPicture(limiter, { width: 1060, height: 400 })}</div><div class="narrow-only">${limiterPicture(limiter, { width: 360, height: 300 })}</div>
<figcaption><p><b>${verdict.replace('-', ' ')}</b>: ${reason}.</p><p class="soft small">Declared ${limit.perSecond} per second, burst ${limit.burst}. ${counts.admitted} admitted, ${counts.throttled} throttled, ${counts.refused} refused, ${counts.unknown} without an answer. ${measured.bucket ? `Measured rate ${interval(measured.rate)} per second, burst ${interval(measured.burst)}.` : 'No token bucket explains all of it.'}</p></figcaption>
</figure>`;
}

const interval = ({ low, high }: { low: number | null; high: number | null }) =>
  `${low === null ? 'any' : low.toFixed(1)} to ${high === null ? 'any' : high.toFixed(1)}`;

function footer({ requests, profile }: Report): Markup {
  const rows = Object.entries(requests).map(
    ([key, count]) => html`<tr><td>${key === '-' ? 'without a key' : key}</td><td class="number">${count}</td></tr>`,
  );
  const learned = Object.keys(profile).length === 0 ? null : stringify(profile);
  return html`<h2>Requests</h2><div class="card table"><table><thead><tr><th>Key</th><th class="number">Requests</th></tr></thead><tbody>${rows}</tbody></table></div>
${learned === null ? null : html`<h2>What this deployment does where the specification is silent</h2><pre>${learned}</pre>`}`;
}
