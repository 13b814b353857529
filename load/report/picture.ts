import type { Admission } from '../../spec/limiter/admission.ts';
import type { LoadReport } from './report-schema.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

const margin = { left: 46, right: 14, top: 14, bottom: 30 };

/** Requests per second over time, admitted below and throttled above, with the declared rate as a line. SVG. */
export function trafficPicture({ timeline, keys }: LoadReport, size: Size): string {
  const end = Math.max(1, ...timeline.map(({ second }) => second + 1));
  const declared = keys.reduce((sum, { limit }) => sum + limit.perSecond, 0);
  // More columns than pixels would only blur: a long run is shown by the fullest second of each column.
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
  const top = Math.max(1, declared, ...bars.map(total)) * 1.08;
  const { x, y, axes } = plane(size, end, top, 'requests per second');
  const width = Math.max(1, x(step) - x(0) - (columns > 200 ? 0 : 1));
  const rect = (index: number, from: number, to: number, kind: string) =>
    to > from
      ? `<rect class="${kind}" x="${x(index * step)}" y="${y(to)}" width="${round(width)}" height="${round(y(from) - y(to))}"/>`
      : '';
  const drawn = bars.map((bar, index) => {
    const { admitted, throttled, refused, unknown } = bar;
    return [
      rect(index, 0, admitted, 'admitted'),
      rect(index, admitted, admitted + throttled, 'throttled'),
      rect(index, admitted + throttled, admitted + throttled + refused + unknown, 'unknown'),
    ].join('');
  });
  const line =
    declared > 0 ? `<line class="bound" x1="${x(0)}" x2="${x(end)}" y1="${y(declared)}" y2="${y(declared)}"/>` : '';
  return svg(size, 'Requests per second, admitted and throttled', [axes, ...drawn, line]);
}

/**
 * What one key was admitted beyond the declared rate, so that the limit is a level band: a rate that is too lax climbs out of
 * it, one that is too strict falls below while 429s come. SVG.
 */
export function envelopePicture({ admitted, keys }: LoadReport, size: Size): string {
  const { perSecond, burst } = keys[0]?.limit ?? { perSecond: 10, burst: 20 };
  const most = burst + perSecond + 1;
  const end = Math.max(1, ...admitted.map(([at]) => at));
  const points = admitted.map(([at, count]) => [at, count - perSecond * at] as const);
  const beyond = points.map(([, value]) => value);
  const bottom = Math.min(0, ...beyond) * 1.08;
  const { x, y, axes } = plane(
    size,
    end,
    Math.max(most, ...beyond) * 1.08,
    'admitted beyond the declared rate',
    bottom,
  );
  const level = (value: number) => `${x(0)},${y(value)} ${x(end)},${y(value)}`;
  return svg(size, `Requests admitted beyond ${perSecond} per second, against a burst of ${burst} to ${most}`, [
    axes,
    `<polygon class="band" points="${level(burst)} ${x(end)},${y(most)} ${x(0)},${y(most)}"/>`,
    `<polyline class="bound" points="${level(burst)}"/><polyline class="bound" points="${level(most)}"/>`,
    `<polyline class="curve" points="${x(0)},${y(0)} ${points.map(([at, value]) => `${x(at)},${y(value)}`).join(' ')}"/>`,
  ]);
}

const total = ({ admitted, throttled, refused, unknown }: Readonly<Record<Admission, number>>) =>
  admitted + throttled + refused + unknown;

function plane({ width, height }: Size, end: number, top: number, label: string, bottom = 0) {
  const x = (seconds: number) => round(margin.left + (seconds / end) * (width - margin.left - margin.right));
  const y = (count: number) =>
    round(height - margin.bottom - ((count - bottom) / (top - bottom)) * (height - margin.top - margin.bottom));
  const axes = [
    ...levels(bottom, top, height / 55).map(
      (count) =>
        `<line class="grid" x1="${margin.left}" x2="${width - margin.right}" y1="${y(count)}" y2="${y(count)}"/><text x="${margin.left - 8}" y="${y(count) + 4}" text-anchor="end">${count}</text>`,
    ),
    ...ticks(end, width / 110).map((at) => `<text x="${x(at)}" y="${height - 8}" text-anchor="middle">${at} s</text>`),
    `<text class="label" x="${margin.left + 6}" y="${margin.top + 2}">${label}</text>`,
  ].join('');
  return { x, y, axes };
}

const svg = ({ width, height }: Size, label: string, parts: readonly string[]) =>
  `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${parts.join('\n')}</svg>`;

/** Round numbers between two ends, 0 among them. */
function levels(bottom: number, top: number, fitting: number): number[] {
  const above = ticks(Math.max(top, -bottom), fitting);
  return [...above.slice(1).map((value) => -value), ...above].filter((value) => value >= bottom && value <= top);
}

/** Round numbers from 0 to `most`, about as many as fit. */
export function ticks(most: number, fitting: number): number[] {
  const rough = most / Math.max(1, fitting);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? power;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, position) => Number((position * step).toPrecision(6)));
}

const round = (number: number) => Math.round(number * 10) / 10;
