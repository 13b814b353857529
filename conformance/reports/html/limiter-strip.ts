import { changeOf, figure } from '../../../spec/limiter/describe-judgement.ts';
import { largestBurst } from '../../../spec/limiter/limit.ts';
import { admissionOf } from '../../../spec/limiter/observation.ts';
import { html, type Markup } from '../../../spec/report-page/markup.ts';
import { ticks } from '../../../spec/report-page/ticks.ts';
import { durationInWords } from '../../../spec/text/time-in-words.ts';
import type { Evidence, Failure } from '../failures.ts';
import type { LimiterRun } from '../report-schema.ts';

type Measured = LimiterRun['judgement']['measured'];

/** What the run bounds, with as many digits as in every sentence about it. */
const figuresOf = ({ rate, burst }: Measured) =>
  [figure({ ...rate, best: undefined }, 1, 0), figure({ ...burst, best: undefined }, 0, 0)] as const;

/** Rate and burst as declared and as measured, to be compared: what is proven wrong, or else both; nothing where no bucket was found. */
export function bucketWords({ judgement: { limit, measured, off } }: LimiterRun) {
  const [rate, burst] = figuresOf(measured);
  if (!measured.bucket || rate === undefined || burst === undefined) return {};
  const isRight = off.rate === 0 && off.burst === 0;
  const words = (...both: readonly (number | string)[]) =>
    ['per second', 'at once']
      .flatMap((unit, i) => (isRight || [off.rate, off.burst][i] ? `${both[i]} ${unit}` : []))
      .join(', ');
  return { expected: words(limit.perSecond, limit.burst), observed: words(rate, burst) };
}

/** What was measured beside what is declared; where no bucket was found, why the verdict is as it is. */
export function limiterWords(run: LimiterRun): string {
  const { expected, observed } = bucketWords(run);
  return expected === undefined
    ? run.judgement.reason
    : `${run.judgement.verdict === 'pass' ? 'no fault seen: ' : ''}${observed}; declared ${expected}`;
}

/** What to change of a bucket that was found. */
export const bucketRemedies = ({ judgement: { limit, measured, off } }: LimiterRun): string[] =>
  (['rate', 'burst'] as const).flatMap((what) => {
    const isOff = measured.bucket && off[what] !== 0;
    return isOff ? changeOf(what, measured[what], what === 'rate' ? limit.perSecond : limit.burst) : [];
  });

const tenths = (number: number) => Math.round(number * 10) / 10;

/** The evidence of a failure; where it is about a bucket that was measured, as rate and burst. The strip has the proof. */
export function bucketEvidence({ evidence }: Failure, measured: LimiterRun | null): Evidence | undefined {
  const words = measured && Object.values(measured.judgement.off).some(Boolean) ? bucketWords(measured) : {};
  if (!evidence || !measured || !('expected' in words)) return evidence;
  const notes = evidence.notes.map((note) => note.replace(`; ${measured.judgement.reason}`, ''));
  return { ...evidence, ...words, notes };
}

/** What the run measured of the limiter: rate and burst beside the declared ones, how many it admitted at which time and how many it may, and when it throttled. */
export function limiterStrip(run: LimiterRun): Markup {
  const { key, samples, judgement } = run;
  const { counts, limit, measured, off, reason, verdict, tooLax, tooStrict } = judgement;
  const isWell = verdict === 'pass';
  const { admitted = [], throttled = [], ...others } = Object.groupBy(samples, ({ status }) => admissionOf(status));
  const otherwise = [...Map.groupBy(Object.values(others).flat(), ({ status }) => status || 'by nothing')];
  const origin = Math.min(...samples.map(({ sentAt }) => sentAt));
  const length = Math.max(1, ...samples.map(({ doneAt }) => doneAt - origin));
  const x = (at: number) => `${tenths((Math.min(length, Math.max(0, at - origin)) / length) * 1_000) / 10}%`;
  // As long as the proof, so that one bar is the proof, and all have one bound.
  const [start, slice] = tooLax
    ? [tooLax.from, Math.max(length / 400, tooLax.to - tooLax.from)]
    : [origin, 1_000 * (ticks(0, length / 1_000, 60)[1] ?? 1)];
  const most = Math.max(tooLax?.allowed ?? 0, Math.floor((limit.perSecond * slice) / 1_000 + largestBurst(limit)));
  const bars = [...Map.groupBy(admitted, ({ doneAt }) => Math.ceil((doneAt - start) / slice) - 1)];
  const declared = (limit.perSecond * slice) / 1_000;
  // What throttles too early never comes near the bound.
  const isBounded = verdict !== 'too-strict';
  const top = Math.max(isBounded ? most : declared, ...bars.map(([, { length: count }]) => count));
  const y = (count: number) => tenths(100 - (count / top) * 100);
  const barOf = ([i, { length: count }]: (typeof bars)[number]) => {
    const [from, to] = [start + i * slice, start + (i + 1) * slice].map(x);
    return html`<rect class="${i === 0 && tooLax ? 'proof' : 'admitted'}" x="${from ?? ''}" y="${y(count)}" width="${tenths(Number.parseFloat(to ?? '') - Number.parseFloat(from ?? ''))}%" height="${tenths(100 - y(count))}"/>`;
  };
  const level = (kind: string, count: number) =>
    html`<line class="${kind}" x2="100%" y1="${y(count)}" y2="${y(count)}"/>`;
  const moment = (kind: string, at: number, from: number) =>
    html`<line class="${kind}" x1="${x(at)}" x2="${x(at)}" y1="${from}" y2="118"/>`;
  const [rate, burst] = figuresOf(measured);
  const one = (found: string | undefined, unit: string, declared: number, off: number) =>
    html`<p class="${off === 0 ? '' : 'fail'}"><b>${found ?? 'any'}</b> ${unit} <span class="soft small">declared ${declared}${off === 0 ? ', no fault seen' : ''}</span></p>`;
  return html`<details class="section"${isWell ? null : html` open`}><summary><h2 id="limiter">Rate limiter${key === undefined ? '' : `, measured with key ${key}`}</h2>${isWell ? html`<span class="soft">${limiterWords(run)}</span>` : null}</summary><figure class="card">
${
  measured.bucket && verdict !== 'inconclusive'
    ? html`<div class="figures">${one(rate, 'per second', limit.perSecond, off.rate)}${one(burst, 'at once', limit.burst, off.burst)}</div>`
    : html`<p class="soft small">${measured.bucket ? 'Rate and burst are not decided' : 'No one rate and burst explains this run'}; declared ${limit.perSecond} per second and ${limit.burst} at once</p>`
}
<ul class="legend"><li><span class="key admitted"></span>${counts.admitted} admitted, each bar the rate within ${durationInWords(slice)}</li><li><span class="key throttled"></span>${counts.throttled} throttled</li>${otherwise.map(([status, { length: count }]) => html`<li>${count} answered ${status}</li>`)}${isBounded ? html`<li><span class="key bound"></span>at most ${most} in any ${durationInWords(slice)}</li>` : null}<li><span class="key declared"></span>${limit.perSecond} a second, as declared; a burst rises above it</li>${tooLax === undefined ? null : html`<li><span class="key proof"></span>too many admitted</li>`}${tooStrict === undefined ? null : html`<li><span class="key moment"></span>the surest 429 that came too early</li>`}</ul>
<div class="plot"><svg class="scale" aria-hidden="true">${ticks(0, (top * 1_000) / slice, 4).map((each) => html`<text x="30" y="${tenths(y((each * slice) / 1_000) + 4)}" text-anchor="end">${each}</text>`)}</svg><svg class="strip" role="img" aria-label="How many requests a second were admitted in each ${durationInWords(slice)}, and when some were throttled. ${reason}">${ticks(0, length / 1_000, 6).map((each) => html`${moment('grid', origin + 1_000 * each, 0)}<text x="${x(origin + 1_000 * each)}" y="134" text-anchor="${each === 0 ? 'start' : 'middle'}">${each} s</text>`)}${bars.map(barOf)}${level('grid', 0)}${isBounded ? level('bound', most) : null}${level('declared', declared)}${throttled.map(({ doneAt }) => moment('throttled', doneAt, 104))}${tooStrict === undefined ? null : moment('moment', tooStrict.at, 0)}</svg></div>
${verdict === 'inconclusive' ? null : html`<figcaption><b>${verdict.replace('-', ' ')}</b>: ${reason}.${isBounded ? html` <span class="soft">Any stretch of time may have ${limit.perSecond} requests per second and ${largestBurst(limit)} more: the burst of ${limit.burst}, and ${largestBurst(limit) - limit.burst} by its most generous reading.${isWell ? ' In a short run these look like a higher rate.' : ''}</span>` : null}</figcaption>`}
</figure></details>`;
}
