import type { Admission } from '../../spec/limiter/admission.ts';
import { html, type Markup } from '../../spec/report-page/markup.ts';
import { ticks } from '../../spec/report-page/ticks.ts';
import type { LoadReport } from './report-schema.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** How far the axes of a picture go. Pictures that are compared have the same scale. */
export interface Scale {
  readonly seconds: number;
  /** Requests in a second. */
  readonly perSecond: number;
  /** The lowest and the highest number of requests beyond the declared rate. */
  readonly minBeyond: number;
  readonly maxBeyond: number;
}

/** The scale at which all of these runs fit. */
export function scaleOf(reports: readonly LoadReport[]): Scale {
  const scales = reports.map(({ timeline, admitted, keys }) => {
    const { perSecond, burst } = limitOf(keys);
    const beyond = admitted.map(([at, count]) => count - perSecond * at);
    return {
      seconds: Math.max(1, ...timeline.map(({ second }) => second + 1), ...admitted.map(([at]) => at)),
      perSecond: Math.max(1, declaredBy(keys), ...timeline.map(total)) * 1.08,
      minBeyond: Math.min(0, ...beyond) * 1.08,
      maxBeyond: Math.max(burst + perSecond + 1, ...beyond) * 1.08,
    };
  });
  const largest = (what: keyof Scale) => Math.max(...scales.map((one) => one[what]));
  return {
    seconds: largest('seconds'),
    perSecond: largest('perSecond'),
    minBeyond: Math.min(...scales.map(({ minBeyond }) => minBeyond)),
    maxBeyond: largest('maxBeyond'),
  };
}

type Keys = LoadReport['keys'];
const limitOf = (keys: Keys) => keys[0]?.limit ?? { perSecond: 10, burst: 20 };
const declaredBy = (keys: Keys) => keys.reduce((sum, { limit }) => sum + limit.perSecond, 0);

const margin = { left: 46, right: 14, top: 14, bottom: 30 };

/** Requests per second over time, admitted below and throttled above, with the declared rate as a line. SVG. */
export function trafficPicture({ timeline, keys }: LoadReport, size: Size, scale: Scale): Markup {
  const end = scale.seconds;
  const declared = declaredBy(keys);
  // A long run has more seconds than there is room for columns. Each column then shows its busiest second.
  const columns = Math.min(end, Math.floor((size.width - margin.left - margin.right) / 3));
  const step = Math.ceil(end / columns);
  const bars = Array.from({ length: Math.ceil(end / step) }, () => ({
    admitted: 0,
    throttled: 0,
    refused: 0,
    unknown: 0,
  }));
  for (const { second, ...counts } of timeline) {
    const bar = bars[Math.floor(second / step)];
    if (bar !== undefined && total(counts) > total(bar)) Object.assign(bar, counts);
  }
  const { x, y, axes } = plane(size, end, scale.perSecond, 'requests per second');
  const width = Math.max(1, x(step) - x(0) - (columns > 200 ? 0 : 1));
  const rect = (index: number, from: number, to: number, kind: string): Markup[] =>
    to > from
      ? [
          html`<rect class="${kind}" x="${x(index * step)}" y="${y(to)}" width="${round(width)}" height="${round(y(from) - y(to))}"/>`,
        ]
      : [];
  const drawn = bars.flatMap(({ admitted, throttled, refused, unknown }, index) => [
    ...rect(index, 0, admitted, 'admitted'),
    ...rect(index, admitted, admitted + throttled, 'throttled'),
    ...rect(index, admitted + throttled, admitted + throttled + refused + unknown, 'unknown'),
  ]);
  const line =
    declared > 0
      ? html`<line class="bound" x1="${x(0)}" x2="${x(end)}" y1="${y(declared)}" y2="${y(declared)}"/>`
      : html``;
  return svg(size, 'Requests per second, admitted and throttled', [...axes, ...drawn, line]);
}

/**
 * How many requests of one key were admitted beyond the declared rate, over time. The limit is a level band. The curve of a limiter
 * that is too lax climbs above it; that of one that is too strict falls below it, although requests are throttled. SVG.
 */
export function envelopePicture({ admitted, keys }: LoadReport, size: Size, scale: Scale): Markup {
  const { perSecond, burst } = limitOf(keys);
  const maxBurst = burst + perSecond + 1;
  const end = scale.seconds;
  const points = admitted.map(([at, count]) => [at, count - perSecond * at] as const);
  const { x, y, axes } = plane(size, end, scale.maxBeyond, 'admitted beyond the declared rate', scale.minBeyond);
  const level = (value: number) => `${x(0)},${y(value)} ${x(end)},${y(value)}`;
  return svg(size, `Requests admitted beyond ${perSecond} per second, against a burst of ${burst} to ${maxBurst}`, [
    ...axes,
    html`<polygon class="band" points="${level(burst)} ${x(end)},${y(maxBurst)} ${x(0)},${y(maxBurst)}"/>`,
    html`<polyline class="bound" points="${level(burst)}"/><polyline class="bound" points="${level(maxBurst)}"/>`,
    html`<polyline class="curve" points="${x(0)},${y(0)} ${points.map(([at, value]) => `${x(at)},${y(value)}`).join(' ')}"/>`,
  ]);
}

const total = ({ admitted, throttled, refused, unknown }: Readonly<Record<Admission, number>>): number =>
  admitted + throttled + refused + unknown;

function plane({ width, height }: Size, end: number, top: number, label: string, bottom = 0) {
  const x = (seconds: number) => round(margin.left + (seconds / end) * (width - margin.left - margin.right));
  const y = (count: number) =>
    round(height - margin.bottom - ((count - bottom) / (top - bottom)) * (height - margin.top - margin.bottom));
  const axes = [
    ...levels(bottom, top, height / 55).map(
      (count) =>
        html`<line class="grid" x1="${margin.left}" x2="${width - margin.right}" y1="${y(count)}" y2="${y(count)}"/><text x="${margin.left - 8}" y="${y(count) + 4}" text-anchor="end">${count}</text>`,
    ),
    ...ticks(end, width / 110).map(
      (at) => html`<text x="${x(at)}" y="${height - 8}" text-anchor="middle">${at} s</text>`,
    ),
    html`<text x="${margin.left + 6}" y="${margin.top + 2}">${label}</text>`,
  ];
  return { x, y, axes };
}

const svg = ({ width, height }: Size, label: string, parts: readonly Markup[]): Markup =>
  html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${parts}</svg>`;

/** Round numbers from `bottom` to `top`, with 0. */
function levels(bottom: number, top: number, fitting: number): number[] {
  const above = ticks(Math.max(top, -bottom), fitting);
  return [...above.slice(1).map((value) => -value), ...above].filter((value) => value >= bottom && value <= top);
}

const round = (number: number) => Math.round(number * 10) / 10;
