import { figure } from '../../../spec/limiter/describe-judgement.ts';
import { largestBurst } from '../../../spec/limiter/limit.ts';
import { admissionOf } from '../../../spec/limiter/observation.ts';
import { html, type Markup } from '../../../spec/report-page/markup.ts';
import { durationInWords } from '../../../spec/text/time-in-words.ts';
import type { LimiterRun } from '../report-schema.ts';

type Measured = LimiterRun['judgement']['measured'];

/** What the run bounds: card and strip say the same. */
const figureOf = ({ low, high }: Measured['rate']) => figure({ low, high }, 1, 0);

/** Rate and burst as declared and as measured, to be compared; nothing where no bucket was found. */
export function bucketWords({ judgement: { limit, measured } }: LimiterRun) {
  const words = (rate: string | undefined, burst: string | undefined) => `${rate} per second, ${burst} at once`;
  const [rate, burst] = [figureOf(measured.rate), figureOf(measured.burst)];
  if (!measured.bucket || rate === undefined || burst === undefined) return {};
  return { expected: words(`${limit.perSecond}`, `${limit.burst}`), observed: words(rate, burst) };
}

/** What the run measured of the limiter: rate and burst beside the declared ones, and the moments at which it admitted and throttled. */
export function limiterStrip({ key, samples, judgement }: LimiterRun): Markup {
  const { counts, limit, measured, off, reason, verdict, tooLax, tooStrict } = judgement;
  const others = samples.length - counts.admitted - counts.throttled;
  const origin = Math.min(...samples.map(({ sentAt }) => sentAt));
  const length = Math.max(1, ...samples.map(({ doneAt }) => doneAt - origin));
  /** Thousandths of the length. */
  const x = (at: number) => Math.round((Math.max(0, at - origin) / length) * 10_000) / 10;
  const marks = (kind: 'admitted' | 'throttled', top: number) =>
    samples
      .filter(({ status }) => admissionOf(status) === kind)
      .map(({ doneAt }) => html`<path class="${kind}" d="M${x(doneAt)} ${top}v30"/>`);
  const one = (found: Measured['rate'], unit: string, declared: number, off: number) =>
    html`<p class="${off === 0 ? '' : 'fail'}"><b>${figureOf(found) ?? 'any'}</b> ${unit} <span class="soft small">declared ${declared}</span></p>`;
  return html`<h2 id="limiter">Rate limiter${key === undefined ? '' : `, measured with key ${key}`}</h2><figure class="card">
${
  measured.bucket && verdict !== 'inconclusive'
    ? html`<div class="figures">${one(measured.rate, 'per second', limit.perSecond, off.rate)}${one(measured.burst, 'at once', limit.burst, off.burst)}</div>`
    : html`<p class="soft small">${measured.bucket ? 'Rate and burst are not decided' : 'No one rate and burst explains this run'}; declared ${limit.perSecond} per second and ${limit.burst} at once</p>`
}
<ul class="legend"><li><span class="key admitted"></span>${counts.admitted} admitted</li><li><span class="key throttled"></span>${counts.throttled} throttled</li>${others === 0 ? null : html`<li>${others} answered otherwise</li>`}${tooLax === undefined ? null : html`<li><span class="key proof"></span>too many admitted</li>`}</ul>
<svg class="strip" viewBox="0 0 1000 76" preserveAspectRatio="none" role="img" aria-label="Moments at which requests were admitted and throttled. ${reason}">${
    tooLax === undefined
      ? null
      : html`<rect class="proof" x="${x(tooLax.from)}" y="0" width="${Math.max(2, x(tooLax.to) - x(tooLax.from))}" height="76"/>`
  }${marks('admitted', 4)}${marks('throttled', 42)}${
    tooStrict === undefined ? null : html`<path class="moment" d="M${x(tooStrict.at)} 0v76"/>`
  }</svg>
<p class="ends soft small"><span>0 s</span><span>${durationInWords(length)}</span></p>
${verdict === 'inconclusive' ? null : html`<figcaption><b>${verdict.replace('-', ' ')}</b>: ${reason}. <span class="soft">Any stretch of time may have ${limit.perSecond} requests per second and ${largestBurst(limit)} more: the burst of ${limit.burst}, and ${largestBurst(limit) - limit.burst} by its most generous reading.${verdict === 'pass' ? ' In a short run these look like a higher rate.' : ''}</span></figcaption>`}
</figure>`;
}
