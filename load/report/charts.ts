import { type Admission, totalOf } from '../../spec/limiter/admission.ts';
import { html, type Markup } from '../../spec/report-page/markup.ts';
import { ticks } from '../../spec/report-page/ticks.ts';
import type { LoadReport } from './report-schema.ts';

/** How far the axes of charts go. Charts that are compared have the same scale. */
interface Scale {
  readonly seconds: number;
  /** Requests in a second. */
  readonly perSecond: number;
  /** The lowest and the highest number of requests beyond the declared rate. */
  readonly minBeyond: number;
  readonly maxBeyond: number;
}

/** The scale at which all of these runs fit. */
export function scaleOf(reports: readonly LoadReport[]): Scale {
  const beyond = reports.flatMap((report) => beyondRate(report).map(([, count]) => count));
  const most = reports.map(({ keys }) => generousBurst(keys));
  return {
    seconds: Math.max(1, ...reports.flatMap(({ timeline }) => timeline.map(({ second }) => second + 1))),
    perSecond:
      1.08 * Math.max(1, ...reports.map(declaredRate), ...reports.flatMap(({ timeline }) => timeline.map(totalOf))),
    minBeyond: 1.08 * Math.min(0, ...beyond),
    maxBeyond: 1.08 * Math.max(...most, ...beyond),
  };
}

const limitOf = (keys: LoadReport['keys']) => keys[0]?.limit ?? { perSecond: 10, burst: 20 };
/** The most that an honest reading of the limit admits at once. */
const generousBurst = (keys: LoadReport['keys']) => limitOf(keys).burst + limitOf(keys).perSecond + 1;
const declaredRate = ({ keys }: LoadReport) => keys.reduce((sum, { limit }) => sum + limit.perSecond, 0);
const beyondRate = ({ admitted, keys }: LoadReport) =>
  admitted.map(([at, count]) => [at, count - limitOf(keys).perSecond * at] as const);

/** The charts of a run. @param name of the run, on a page with several */
export function charts(report: LoadReport, scale: Scale, name = ''): readonly Markup[] {
  const traffic = chart(`${name}requests over time`, trafficChart(report, scale), [
    ['admitted', 'admitted'],
    ['throttled', 'throttled (429)'],
    ['unknown', 'no usable answer'],
    ['bound', 'declared rate'],
  ]);
  if (report.admitted.length === 0) return [traffic];
  const envelope = chart(`${name}admitted beyond the declared rate`, envelopeChart(report, scale), [
    ['curve', 'admitted so far, minus what the declared rate allows'],
    ['band', 'between the least and the most generous reading of the burst'],
  ]);
  return [traffic, envelope];
}

function chart(title: string, drawn: Markup, legend: readonly (readonly [string, string])[]): Markup {
  const keys = legend.map(([kind, text]) => html`<li><span class="key ${kind}"></span>${text}</li>`);
  return html`<h2>${title[0]?.toUpperCase() ?? ''}${title.slice(1)}</h2>
<figure class="card table" role="region" aria-label="${title}" tabindex="0"><ul class="legend">${keys}</ul>${drawn}</figure>`;
}

/** Requests per second over time, admitted below and throttled above, with the declared rate as a line. */
function trafficChart(report: LoadReport, scale: Scale): Markup {
  const end = scale.seconds;
  // A long run has more seconds than there is room for columns. Each column then shows its busiest second.
  const step = Math.ceil(end / 200);
  const bars = Map.groupBy(report.timeline, ({ second }) => Math.floor(second / step));
  const { x, y, axes } = plane(end, scale.perSecond, 'requests per second');
  const width = Math.max(1, x(step) - x(0) - 1);
  const drawn = [...bars].flatMap(([index, seconds]) => {
    const { admitted, throttled, refused, unknown } = seconds.reduce<Readonly<Record<Admission, number>>>(
      (most, one) => (totalOf(one) > totalOf(most) ? one : most),
      { admitted: 0, throttled: 0, refused: 0, unknown: 0 },
    );
    let top = 0;
    return Object.entries({ admitted, throttled, unknown: refused + unknown }).map(([kind, count]) => {
      top += count;
      const height = round(y(0) - y(count));
      return html`<rect class="${kind}" x="${x(index * step)}" y="${y(top)}" width="${round(width)}" height="${height}"/>`;
    });
  });
  const declared = y(declaredRate(report));
  const line = html`<line class="bound" x1="${x(0)}" x2="${x(end)}" y1="${declared}" y2="${declared}"/>`;
  return svg('Requests per second, admitted and throttled', [...axes, ...drawn, line]);
}

/**
 * How many requests of one key were admitted beyond the declared rate, over time. The limit is a level band. The curve of a limiter
 * that is too lax climbs above it; that of one that is too strict falls below it, although requests are throttled.
 */
function envelopeChart(report: LoadReport, { seconds: end, maxBeyond, minBeyond }: Scale): Markup {
  const { perSecond, burst } = limitOf(report.keys);
  const most = generousBurst(report.keys);
  const { x, y, axes } = plane(end, maxBeyond, 'admitted beyond the declared rate', minBeyond);
  const level = (value: number) => `${x(0)},${y(value)} ${x(end)},${y(value)}`;
  const curve = beyondRate(report).map(([at, value]) => `${x(at)},${y(value)}`);
  return svg(`Requests admitted beyond ${perSecond} per second, against a burst of ${burst} to ${most}`, [
    ...axes,
    html`<polygon class="band" points="${level(burst)} ${x(end)},${y(most)} ${x(0)},${y(most)}"/>`,
    html`<polyline class="bound" points="${level(burst)}"/><polyline class="bound" points="${level(most)}"/>`,
    html`<polyline class="curve" points="${x(0)},${y(0)} ${curve.join(' ')}"/>`,
  ]);
}

const size = { width: 760, height: 300 };
const margin = { left: 46, right: 14, top: 14, bottom: 30 };

function plane(end: number, top: number, label: string, bottom = 0) {
  const { width, height } = size;
  const x = (seconds: number) => round(margin.left + (seconds / end) * (width - margin.left - margin.right));
  const y = (count: number) =>
    round(height - margin.bottom - ((count - bottom) / (top - bottom)) * (height - margin.top - margin.bottom));
  const above = ticks(Math.max(top, -bottom), 5);
  const levels = [...above.slice(1).map((value) => -value), ...above].filter((at) => at >= bottom && at <= top);
  const axes = [
    ...levels.map(
      (count) =>
        html`<line class="grid" x1="${margin.left}" x2="${width - margin.right}" y1="${y(count)}" y2="${y(count)}"/><text x="${margin.left - 8}" y="${y(count) + 4}" text-anchor="end">${count}</text>`,
    ),
    ...ticks(end, 7).map((at) => html`<text x="${x(at)}" y="${height - 8}" text-anchor="middle">${at} s</text>`),
    html`<text x="${margin.left + 6}" y="${margin.top + 2}">${label}</text>`,
  ];
  return { x, y, axes };
}

const svg = (label: string, parts: readonly Markup[]): Markup =>
  html`<svg viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${label}">${parts}</svg>`;

const round = (number: number) => Math.round(number * 10) / 10;
