import { admissionOf } from '../../../spec/limiter/admission.ts';
import { html, type Markup } from '../../../spec/report-page/markup.ts';
import { ticks } from '../../../spec/report-page/ticks.ts';
import type { LimiterRun } from '../report-schema.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

const margin = { left: 46, right: 14, top: 12, bottom: 58 };

/**
 * The run against the limiter: requests admitted so far over time, between the strictest and the most generous honest reading
 * of the limit. Each throttled request is a tick below.
 */
export function limiterPicture({ samples, judgement }: LimiterRun, { width, height }: Size): Markup {
  const { perSecond, burst } = judgement.limit;
  const origin = Math.min(...samples.map(({ sentAt }) => sentAt));
  const since = (at: number) => Math.max(0, at - origin) / 1000;
  const byReply = samples.toSorted((a, b) => a.doneAt - b.doneAt);
  const end = Math.max(1, ...samples.map(({ doneAt }) => since(doneAt)));
  const maxBurst = burst + perSecond + 1;
  const admitted = steps(
    byReply.filter(({ status }) => admissionOf(status) === 'admitted').map(({ doneAt }) => since(doneAt)),
  );
  const offered = steps(samples.map(({ sentAt }) => since(sentAt)).sort((a, b) => a - b));
  const top = Math.max(maxBurst + perSecond * end, admitted.at(-1)?.[1] ?? 0) * 1.05;

  const x = (seconds: number) => round(margin.left + (seconds / end) * (width - margin.left - margin.right));
  const y = (count: number) =>
    round(height - margin.bottom - (Math.min(count, top) / top) * (height - margin.top - margin.bottom));
  const line = (points: readonly (readonly [number, number])[]) =>
    points.map(([seconds, count]) => `${x(seconds)},${y(count)}`).join(' ');
  const bottom = height - margin.bottom;
  const bound = (from: number) =>
    line([
      [0, from],
      [end, from + perSecond * end],
    ]);
  const { tooLax, tooStrict } = judgement;

  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Requests admitted over time. ${judgement.reason}">
${ticks(top, height / 60).map(
  (count) =>
    html`<line class="grid" x1="${margin.left}" x2="${width - margin.right}" y1="${y(count)}" y2="${y(count)}"/><text x="${margin.left - 8}" y="${y(count) + 4}" text-anchor="end">${count}</text>`,
)}
${ticks(end, width / 110).map(
  (seconds) => html`<text x="${x(seconds)}" y="${height - 8}" text-anchor="middle">${seconds} s</text>`,
)}
<polygon class="band" points="${bound(burst)} ${line([
    [end, maxBurst + perSecond * end],
    [0, maxBurst],
  ])}"/>
<polyline class="bound" points="${bound(burst)}"/><polyline class="bound" points="${bound(maxBurst)}"/>
${tooLax ? html`<rect class="proof" x="${x(since(tooLax.from))}" y="${margin.top}" width="${Math.max(2, x(since(tooLax.to)) - x(since(tooLax.from)))}" height="${bottom - margin.top}"/>` : null}
<polyline class="offered" points="${line(offered.filter(([, count]) => count <= top))}"/><polyline class="curve" points="${line([...admitted, [end, admitted.at(-1)?.[1] ?? 0]])}"/>
<line class="axis" x1="${margin.left}" x2="${width - margin.right}" y1="${bottom}" y2="${bottom}"/>
${byReply
  .filter(({ status }) => admissionOf(status) === 'throttled')
  .map(({ doneAt }) => x(since(doneAt)))
  .map((at) => html`<line class="throttled" x1="${at}" x2="${at}" y1="${bottom + 8}" y2="${bottom + 24}"/>`)}
${tooStrict ? html`<line class="moment" x1="${x(since(tooStrict.at))}" x2="${x(since(tooStrict.at))}" y1="${margin.top}" y2="${bottom + 24}"/>` : null}
</svg>`;
}

/** The corners of a staircase that rises by one at each time. */
function steps(times: readonly number[]): (readonly [number, number])[] {
  return [[0, 0] as const, ...times.flatMap((at, before) => [[at, before] as const, [at, before + 1] as const])];
}

const round = (number: number) => Math.round(number * 10) / 10;
