import { largestBurst } from '../../spec/limiter/limit.ts';
import { totalOf } from '../../spec/limiter/observation.ts';
import { html, type Markup } from '../../spec/report-page/markup.ts';
import type { LoadReport } from './report-schema.ts';

type Point = readonly [second: number, value: number];

/** Seconds: of a shorter run the figures say all. */
const shortest = 5;

/** The charts of a run; of two runs, the earlier one first, the curves of both. */
export function charts(runs: readonly LoadReport[]): readonly Markup[] {
  const seconds = Math.max(...runs.map((run) => run.seconds));
  const after = runs.at(-1);
  if (after === undefined || seconds < shortest) return [];
  return [...(runs.length > 1 ? [] : [trafficChart(after, seconds)]), ...leadChart(runs, seconds)];
}

/** Admitted below, throttled above. A long run has more seconds than there is room for columns: each then shows its busiest second. */
function trafficChart(run: LoadReport, seconds: number): Markup {
  const step = Math.ceil(seconds / 200);
  const columns = [...Map.groupBy(run.timeline, ({ second }) => Math.floor(second / step))].map(([index, some]) => {
    const one = some.reduce((a, b) => (totalOf(b) > totalOf(a) ? b : a));
    return { at: index * step, total: totalOf(one), counts: [one.admitted, one.throttled, one.refused + one.unknown] };
  });
  const kinds: readonly Kind[] = [
    ['admitted', 'admitted'],
    ['throttled', 'throttled (429)'],
    ['unknown', 'no usable answer'],
  ];
  const shown = kinds.filter((_, i) => columns.some(({ counts }) => (counts[i] ?? 0) > 0));
  const legend: readonly Kind[] = [...shown, ['declared', 'declared rate']];
  const each = step === 1 ? 'second' : `${step} seconds, of which it shows the busiest`;
  const caption = `A column for each ${each}: at its foot what was admitted, on top what was throttled. A volley may go above the declared rate, by the burst.`;
  const rate = run.keys.reduce((sum, { limit }) => sum + limit.perSecond, 0);
  // A volley of many times the rate, drawn whole, flattens all the rest. What was throttled is cut, but not all of it.
  const busiest = Math.max(...run.timeline.map(totalOf));
  const most = Math.max(...run.timeline.map(({ admitted }) => admitted));
  const top = Math.max(rate, Math.min(busiest, Math.max(3 * rate, 1.2 * most)));
  const tall = columns.filter(({ total }) => total > top);
  return chart('Requests per second', legend, caption, { seconds, top }, ({ bar, line, note }) => [
    ...columns.flatMap(({ at, counts }) => {
      let below = 0;
      return counts.map((count, i) => {
        below += count;
        const [low, high] = [Math.min(below - count, top), Math.min(below, top)];
        return low < high ? bar(kinds[i]?.[0] ?? '', [at, at + step], [low, high]) : html``;
      });
    }),
    ...tall.map(({ at, total }) => note([at + step, top], `↑ ${total}`)),
    line('under', level(rate, seconds)),
    line('declared', level(rate, seconds)),
  ]);
}

/**
 * By how many requests a key was ahead of its declared rate, against what a bucket of that rate has given out when it is
 * empty; what is above is red. Of several keys there is no curve.
 */
function leadChart(runs: readonly LoadReport[], seconds: number): readonly Markup[] {
  const leads = runs.map(leadOf);
  const limit = limitOf(runs.at(-1));
  if (leads.some((lead) => lead.length === 0)) return [];
  // An empty bucket has one request again after each interval.
  const [least, most] = [limit.burst - 1, largestBurst(limit)];
  const top = Math.max(1.2 * most, ...leads.flat().map(([, value]) => value));
  const names = runs.length > 1 ? ['before', 'after'] : ['requests ahead of the declared rate'];
  const over = leads.filter((lead) => lead.some(([, value]) => value > most));
  const kinds = names.map((text, i): Kind => [i < names.length - 1 ? 'before' : 'curve', text]);
  const legend: readonly Kind[] = [
    ...kinds,
    ['band', `the limit: ${limit.burst} to ${most}, by how the burst is read`],
    ...(over.length > 0 ? [['over', 'more than any reading allows'] as const] : []),
  ];
  const title = `Admitted ahead of ${limit.perSecond} per second`;
  const caption = `The line rises by 1 with each admitted request and falls by ${limit.perSecond} a second. While requests are throttled, a right limiter holds it within the band: above it too many were admitted, and long below it too few. A short dip is a pause of the sender.`;
  return [
    chart(title, legend, caption, { seconds, top }, ({ line, area, above: clipped }) => [
      area('band', [...level(least, seconds), ...level(most, seconds).toReversed()]),
      line('bound', level(most, seconds)),
      ...leads.map((lead, i) => line(kinds[i]?.[0] ?? '', lead)),
      clipped(
        most,
        over.map((lead) => area('over', [[lead[0]?.[0] ?? 0, 0], ...lead, [lead.at(-1)?.[0] ?? 0, 0]])),
      ),
    ]),
  ];
}

const limitOf = (run: LoadReport | undefined) => run?.keys[0]?.limit ?? { perSecond: 10, burst: 20 };

/** The lead after each admission. It falls in between; that is drawn where the key used less than its rate. */
function leadOf(report: LoadReport): readonly Point[] {
  const { perSecond } = limitOf(report);
  let [lead, time, counted] = [0, 0, 0];
  return report.admitted.flatMap(([at, count], i): readonly Point[] => {
    const [last, caughtUp, before] = [lead, time + lead / perSecond, Math.max(0, lead - perSecond * (at - time))];
    [lead, time, counted] = [before + count - counted, at, count];
    if (i === 0 || lead >= last - 1) return [[at, lead]];
    return [...(caughtUp < at ? [[caughtUp, 0] as const] : []), [at, before], [at, lead]];
  });
}

const level = (value: number, seconds: number): readonly Point[] => [
  [0, value],
  [seconds, value],
];

/** The class of a line or an area, and what it shows. */
type Kind = readonly [kind: string, text: string];

const margin = { left: 40, right: 22, top: 10, bottom: 28 };

type Plane = ReturnType<typeof planeOf>;

/** A place to draw on, of this size in pixels. @param name of the picture, which ids in it begin with */
function planeOf(name: string, width: number, height: number, { seconds, top }: { seconds: number; top: number }) {
  const x = (at: number) => Math.round(10 * (margin.left + (at / seconds) * (width - margin.left - margin.right))) / 10;
  const y = (count: number) =>
    Math.round(height - margin.bottom - (count / (1.05 * top)) * (height - margin.top - margin.bottom));
  const places = (points: readonly Point[]) => points.map(([at, value]) => `${x(at)},${y(value)}`).join(' ');
  let noted = 0;
  return {
    x,
    y,
    line: (kind: string, points: readonly Point[]) => html`<polyline class="${kind}" points="${places(points)}"/>`,
    area: (kind: string, points: readonly Point[]) => html`<polygon class="${kind}" points="${places(points)}"/>`,
    bar: (kind: string, [from, to]: Point, [low, high]: Point) =>
      html`<rect class="${kind}" x="${x(from)}" y="${y(high)}" width="${Math.max(1, x(to) - x(from) - 1)}" height="${y(low) - y(high)}"/>`,
    /** A short text beside a point, where the one before leaves room. */
    note([at, value]: Point, text: string): Markup {
      const start = x(at) + 4;
      if (start < noted) return html``;
      noted = start + 9 * text.length;
      return html`<text class="above" x="${start}" y="${y(value) + 12}">${text}</text>`;
    },
    /** Only what is above a value. */
    above: (value: number, parts: readonly Markup[]) =>
      html`<clipPath id="above-${name}"><rect x="0" y="0" width="${width}" height="${y(value)}"/></clipPath><g clip-path="url(#above-${name})">${parts}</g>`,
  };
}

/** A titled picture with a legend, drawn for wide and for narrow pages. @param caption how it is read */
function chart(
  title: string,
  legend: readonly Kind[],
  caption: string,
  scale: { readonly seconds: number; readonly top: number },
  draw: (plane: Plane) => readonly Markup[],
): Markup {
  const picture = ([name, width, height]: readonly [string, number, number]) => {
    const plane = planeOf(name, width, height, scale);
    const { x, y } = plane;
    const axes = [
      ...ticks(1.05 * scale.top, 5).map(
        (count) =>
          html`<line class="grid" x1="${margin.left}" x2="${width - margin.right}" y1="${y(count)}" y2="${y(count)}"/><text x="${margin.left - 8}" y="${y(count) + 4}" text-anchor="end">${count}</text>`,
      ),
      ...ticks(scale.seconds, width / 110).map(
        (at) => html`<text x="${x(at)}" y="${height - 8}" text-anchor="middle">${at} s</text>`,
      ),
    ];
    return html`<svg class="${name}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">${axes}${draw(plane)}</svg>`;
  };
  const keys = legend.map(([kind, text]) => html`<li><span class="key ${kind}"></span>${text}</li>`);
  return html`<section><h2>${title}</h2>
<figure class="card"><ul class="legend">${keys}</ul>${[['wide-only', 1040, 280] as const, ['narrow-only', 340, 240] as const].map(picture)}<figcaption class="soft small">${caption}</figcaption></figure></section>`;
}

/** Round numbers from 0 to `max` for an axis, about `count` of them. */
function ticks(max: number, count: number): number[] {
  const rough = max / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? power;
  return Array.from({ length: Math.floor(max / step) + 1 }, (_, position) => Number((position * step).toPrecision(6)));
}
