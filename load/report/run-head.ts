import { html, type Markup } from '../../spec/report-page/markup.ts';
import type { LoadReport } from './report-schema.ts';
import { doubtsIn } from './terminal-report.ts';

/** The verdict in two or three words. */
export const headings = {
  keeps: 'Keeps the contract',
  breaks: 'Breaks the contract',
  'cannot-tell': 'Could not tell',
} as const satisfies Record<LoadReport['outcome'], string>;

const looks = { keeps: 'pass', breaks: 'fail', 'cannot-tell': 'warn' } as const;
const maxDoubts = 8;

/** The head of a page: which run it was, its verdict, and reasons to doubt it. @param name of the run, on a page with several */
export function runHead(report: LoadReport, name = ''): Markup {
  const { scenario, target, outcome, sentence, traffic, startedAt, seconds, kit } = report;
  const doubts = doubtsIn(report);
  const facts = [
    startedAt?.replace(/T(.*)\.\d+Z$/, ' $1 UTC') ?? 'nothing sent',
    `${seconds} s`,
    `${traffic.requests} requests`,
    ...latency(report),
    `partnerkit ${kit}`,
  ];
  return html`<header class="card verdict ${looks[outcome]}">
<p class="soft small">${name}partnerkit load ${scenario}${target === '' ? '' : ` against ${target}`}</p>
<h1>${headings[outcome]}</h1>
<p>${sentence}</p>
${doubts.length === 0 ? null : html`<ul class="small">${doubts.slice(0, maxDoubts).map(({ text }) => html`<li>${text}</li>`)}</ul>`}
<p class="soft small">${facts.join(' · ')}</p>
</header>`;
}

function latency({ traffic: { durationMs } }: LoadReport): string[] {
  const { p50, p95, p99 } = durationMs;
  return p50 === null ? [] : [`median ${p50} ms, p95 ${p95} ms, p99 ${p99} ms`];
}
