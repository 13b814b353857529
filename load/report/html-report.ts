import { createHash } from 'node:crypto';
import { escaped } from '../../spec/text/escaped-html.ts';
import { envelopePicture, trafficPicture } from './picture.ts';
import type { LoadReport } from './report-schema.ts';
import { style } from './style.ts';
import { burstText, rateText, shownKeys } from './terminal-report.ts';

const wide = { width: 1060, height: 320 };
const narrow = { width: 360, height: 260 };
const headings = {
  keeps: 'Keeps the contract',
  breaks: 'Breaks the contract',
  'cannot-tell': 'Could not tell',
} as const;

/** One self-contained page without scripts: verdict, pictures, rules, keys. Nothing in it is loaded from anywhere. */
export function htmlReport(report: LoadReport): string {
  const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`;
  const { scenario, target, outcome, sentence, doubts, traffic, startedAt, seconds, kit } = report;
  const where = target === '' ? '' : ` against ${escaped(target)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(scenario)}: ${headings[outcome]}</title>
<style>${style}</style>
</head>
<body>
<main>
<header class="card verdict ${outcome}">
<p class="soft small">partnerkit load ${escaped(scenario)}${where}</p>
<h1>${headings[outcome]}</h1>
<p>${escaped(sentence)}</p>
${
  doubts.length > 0
    ? `<ul class="small">${doubts
        .slice(0, 8)
        .map((doubt) => `<li>${escaped(doubt)}</li>`)
        .join('')}</ul>`
    : ''
}
<p class="soft small">${[startedAt?.replace(/T(.*)\.\d+Z$/, ' $1 UTC') ?? 'nothing sent', `${seconds} s`, `${traffic.requests} requests`, ...latency(report), `partnerkit ${escaped(kit)}`].join(' · ')}</p>
</header>
${picture(
  'Requests over time',
  [
    ['admitted', 'admitted'],
    ['throttled', 'throttled (429)'],
    ['unknown', 'no usable answer'],
    ['bound', 'declared rate'],
  ],
  (size) => trafficPicture(report, size),
)}
${
  report.admitted.length > 0
    ? picture(
        'Admitted beyond the declared rate',
        [
          ['curve', 'admitted so far, less the declared rate'],
          ['band', 'between the least and the most generous reading of the burst'],
        ],
        (size) => envelopePicture(report, size),
      )
    : ''
}
${report.rules.length > 0 ? rulesTable(report) : ''}
${report.keys.length > 0 ? keysTable(report) : ''}
</main>
</body>
</html>
`;
}

function latency({ traffic: { durationMs } }: LoadReport): string[] {
  const { p50, p95, p99 } = durationMs;
  return p50 === null ? [] : [`median ${p50} ms, p95 ${p95} ms, p99 ${p99} ms`];
}

function picture(
  title: string,
  legend: readonly (readonly [string, string])[],
  draw: (size: typeof wide) => string,
): string {
  return `<h2>${title}</h2>
<figure class="card">
<ul class="legend">${legend.map(([kind, text]) => `<li><span class="key ${kind}"></span>${text}</li>`).join('')}</ul>
<div class="wide-only">${draw(wide)}</div><div class="narrow-only">${draw(narrow)}</div>
</figure>`;
}

function rulesTable({ rules }: LoadReport): string {
  const rows = rules.map(
    ({ rule, outcome, level, provenance, seen }) =>
      `<tr><td><span class="badge ${outcome}">${outcome}</span></td><td><b>${escaped(rule)}</b> <span class="soft small">${level}, ${provenance}</span><br>${escaped(seen)}</td></tr>`,
  );
  return `<h2>Rules</h2><table class="card">${rows.join('')}</table>`;
}

function keysTable({ keys }: LoadReport): string {
  const shown = shownKeys(keys);
  // A narrow page stacks the cells, and names each by its label.
  const number = (label: string, value: number) => `<td class="number" data-label="${label}">${value}</td>`;
  const measure = (label: string, seen: string, declared: number) =>
    `<td data-label="${label}"><span>${seen}<br><span class="soft small">declared ${declared}</span></span></td>`;
  const rows = shown.map(
    ({ key, counts, measured, limit, sentence }) =>
      `<tr><td><b>${escaped(key)}</b><br><span class="small">${escaped(sentence)}</span></td>${[
        number('admitted', counts.admitted),
        number('throttled', counts.throttled),
        number('no answer', counts.unknown),
        measure('measured rate', rateText(measured).replace('rate ', ''), limit.perSecond),
        measure('measured burst', burstText(measured).replace('burst ', ''), limit.burst),
      ].join('')}</tr>`,
  );
  const more =
    keys.length > shown.length
      ? `<p class="soft small more">and ${keys.length - shown.length} more keys, in the JSON report</p>`
      : '';
  return `<h2>Keys</h2><div class="card"><table class="keys"><thead><tr><th>key</th><th class="number">admitted</th><th class="number">throttled</th><th class="number">no answer</th><th>measured rate</th><th>measured burst</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>${more}`;
}
