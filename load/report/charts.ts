import { largestBurst } from '../../spec/limiter/limit.ts';
import { totalOf } from '../../spec/limiter/observation.ts';
import { html, type Markup } from '../../spec/report-page/markup.ts';
import { ticks } from '../../spec/report-page/ticks.ts';
import type { LoadReport } from './report-schema.ts';

type Point = readonly [second: number, value: number];

const limitOf = ({ keys }: LoadReport) => keys[0]?.limit ?? { perSecond: 10, burst: 20 };

/** By how many requests a key was ahead of its declared rate, after each that was admitted: what a bucket of that rate has given out. */
function leadOf(report: LoadReport): readonly Point[] {
  const { perSecond } = limitOf(report);
  let [lead, last, counted] = [0, 0, 0];
  return report.admitted.flatMap(([at, count]): readonly Point[] => {
    const before = Math.max(0, lead - perSecond * (at - last));
    const caughtUp = last + lead / perSecond;
    lead = before + count - counted;
    [last, counted] = [at, count];
    const fall: readonly Point[] = caughtUp < at ? [[caughtUp, 0]] : [];
    return [...fall, [at, before], [at, lead]];
  });
}

/** The charts of a run; of two runs, the earlier one first, as two lines. */
export function charts(runs: readonly LoadReport[]): readonly Markup[] {
  const seconds = Math.max(...runs.map(({ timeline }) => (timeline.at(-1)?.second ?? -1) + 1));
  const after = runs.at(-1);
  if (after === undefined || seconds === 0) return [];
  return [trafficChart(runs, after, seconds), ...leadChart(runs, after, seconds)];
}

const compared: readonly Kind[] = [
  ['before', 'before'],
  ['curve', 'after'],
];

/** Admitted below and throttled above; of two runs what each admitted. */
function trafficChart(runs: readonly LoadReport[], after: LoadReport, seconds: number): Markup {
  const rate = after.keys.reduce((sum, { limit }) => sum + limit.perSecond, 0);
  const declared: Kind = ['bound', 'declared rate'];
  const bound = ({ line }: Plane) => line('bound', level(rate, seconds));
  if (runs.length > 1) {
    const lines = runs.map(({ timeline }) => timeline.map(({ second, admitted }): Point => [second + 0.5, admitted]));
    const top = Math.max(rate, ...lines.flat().map(([, value]) => value));
    return chart('Admitted per second', [...compared, declared], { seconds, top }, (plane) => [
      ...lines.map((points, i) => plane.line(compared[i]?.[0] ?? '', points)),
      bound(plane),
    ]);
  }
  const kinds: Kind[] = [
    ['admitted', 'admitted'],
    ['throttled', 'throttled (429)'],
    ['unknown', 'no usable answer'],
  ];
  const top = Math.max(rate, ...after.timeline.map(totalOf));
  return chart('Requests per second', [...kinds, declared], { seconds, top }, (plane) => [
    ...bars(after, plane),
    bound(plane),
  ]);
}

/** A long run has more seconds than there is room for columns: each then shows its busiest second. */
function bars({ timeline, seconds }: LoadReport, { x, y }: Plane): readonly Markup[] {
  const step = Math.ceil(seconds / 200);
  const width = Math.max(1, x(step) - x(0) - 1);
  return [...Map.groupBy(timeline, ({ second }) => Math.floor(second / step))].flatMap(([index, some]) => {
    const busiest = some.reduce((most, one) => (totalOf(one) > totalOf(most) ? one : most));
    const { admitted, throttled, refused, unknown } = busiest;
    let top = 0;
    return Object.entries({ admitted, throttled, unknown: refused + unknown }).map(([kind, count]) => {
      top += count;
      return html`<rect class="${kind}" x="${x(index * step)}" y="${y(top)}" width="${width}" height="${y(top - count) - y(top)}"/>`;
    });
  });
}

/** Against the band that a full bucket holds; what is above it is red. Of several keys there is no curve. */
function leadChart(runs: readonly LoadReport[], after: LoadReport, seconds: number): readonly Markup[] {
  const leads = runs.map(leadOf);
  const points = leads.at(-1) ?? [];
  if (leads.some((lead) => lead.length === 0)) return [];
  const limit = limitOf(after);
  const [least, most] = [limit.burst, largestBurst(limit)];
  const top = Math.max(1.2 * most, ...leads.flat().map(([, value]) => value));
  const kinds: readonly Kind[] = runs.length > 1 ? compared : [['curve', 'requests ahead of the declared rate']];
  const legend: readonly Kind[] = [
    ...kinds,
    ['band', `a full bucket: ${least} to ${most}, by the reading of the burst`],
    ['over', 'more than any reading allows'],
  ];
  const over = points.flatMap(([at, value], i): readonly Point[] => {
    if (value <= most) return [[at, most]];
    const falls = (points[i + 1]?.[1] ?? most) < most;
    return [[at, value], ...(falls ? [[at + (value - most) / limit.perSecond, most] as const] : [])];
  });
  const end = points.at(-1)?.[0] ?? 0;
  return [
    chart(`Admitted ahead of ${limit.perSecond} per second`, legend, { seconds, top }, ({ line, area }) => [
      area('band', [...level(least, seconds), ...level(most, seconds).toReversed()]),
      line('bound', level(least, seconds)),
      line('bound', level(most, seconds)),
      ...leads.map((lead, i) => line(kinds[i]?.[0] ?? '', lead)),
      ...(points.some(([, value]) => value > most) ? [area('over', [...over, [end, most]])] : []),
    ]),
  ];
}

const level = (value: number, seconds: number): readonly Point[] => [
  [0, value],
  [seconds, value],
];

/** The class of a line or an area, and what it shows. */
type Kind = readonly [kind: string, text: string];

interface Plane {
  readonly x: (seconds: number) => number;
  readonly y: (count: number) => number;
  readonly line: (kind: string, points: readonly Point[]) => Markup;
  readonly area: (kind: string, points: readonly Point[]) => Markup;
}

const margin = { left: 40, right: 10, top: 10, bottom: 28 };

/** A titled picture with a legend, drawn for wide and for narrow pages. */
function chart(
  title: string,
  legend: readonly Kind[],
  { seconds, top }: { readonly seconds: number; readonly top: number },
  draw: (plane: Plane) => readonly Markup[],
): Markup {
  const picture = ([name, width, height]: readonly [string, number, number]) => {
    const x = (at: number) => Math.round(margin.left + (at / seconds) * (width - margin.left - margin.right));
    const y = (count: number) =>
      Math.round(height - margin.bottom - (count / (1.05 * top)) * (height - margin.top - margin.bottom));
    const places = (points: readonly Point[]) => points.map(([at, value]) => `${x(at)},${y(value)}`).join(' ');
    const line: Plane['line'] = (kind, points) => html`<polyline class="${kind}" points="${places(points)}"/>`;
    const area: Plane['area'] = (kind, points) => html`<polygon class="${kind}" points="${places(points)}"/>`;
    const axes = [
      ...ticks(1.05 * top, 5).map(
        (count) =>
          html`<line class="grid" x1="${margin.left}" x2="${width - margin.right}" y1="${y(count)}" y2="${y(count)}"/><text x="${margin.left - 8}" y="${y(count) + 4}" text-anchor="end">${count}</text>`,
      ),
      ...ticks(seconds, width / 110).map(
        (at) => html`<text x="${x(at)}" y="${height - 8}" text-anchor="middle">${at} s</text>`,
      ),
    ];
    return html`<svg class="${name}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">${axes}${draw({ x, y, line, area })}</svg>`;
  };
  const keys = legend.map(([kind, text]) => html`<li><span class="key ${kind}"></span>${text}</li>`);
  return html`<h2>${title}</h2>
<figure class="card"><ul class="legend">${keys}</ul>${[['wide-only', 1040, 280] as const, ['narrow-only', 340, 240] as const].map(picture)}</figure>`;
}
