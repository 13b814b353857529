import { largestBurst, usualLimit } from '../../spec/limiter/limit.ts';
import { totalOf } from '../../spec/limiter/observation.ts';
import { html, type Markup } from '../../spec/report-page/markup.ts';
import { ticks } from '../../spec/report-page/ticks.ts';
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
  return chart('Requests per second', legend, caption, { seconds, top, bottom: 0 }, ({ bar, line, note }) => [
    ...columns.flatMap(({ at, counts }) => {
      let below = 0;
      return counts.map((count, i) => {
        below += count;
        const [low, high] = [Math.min(below - count, top), Math.min(below, top)];
        return low < high ? bar(kinds[i]?.[0] ?? '', [at, at + step], [low, high]) : html``;
      });
    }),
    ...tall.map(({ at, total }) => note([at + step, top], `↑ ${total}`)),
    line('declared', level(rate, seconds)),
  ]);
}

/**
 * By how many requests a key was ahead of its declared rate, against what a bucket of that rate has given out when it is
 * empty; what is above, or below zero, is red. Of several keys there is no curve.
 */
function leadChart(runs: readonly LoadReport[], seconds: number): readonly Markup[] {
  const leads = runs.map(leadOf);
  const limit = limitOf(runs.at(-1));
  if (runs.some(({ admitted }) => admitted.length === 0)) return [];
  // Between two admitted requests the line is one below what the later one lifts it to.
  const [least, most] = [limit.burst - 1, largestBurst(limit)];
  const values = leads.flat().map(([, value]) => value);
  const [bottom, top] = [Math.min(0, ...values), Math.max(1.2 * most, ...values)];
  const over = [Math.max(...values) > most ? 'more' : '', bottom < -1 ? 'fewer' : ''].filter(Boolean);
  const names = runs.length > 1 ? ['before', 'after'] : ['requests ahead of the declared rate'];
  const kinds = names.map((text, i): Kind => [i < names.length - 1 ? 'before' : 'curve', text]);
  const legend: readonly Kind[] = [
    ...kinds,
    ['band', `allowed: ${limit.burst} to ${most}`],
    ...(over.length > 0 ? [['over', `${over.join(' or ')} than any reading allows`] as const] : []),
  ];
  const title = `Admitted ahead of ${limit.perSecond} per second`;
  const caption = `The line rises by 1 with each admitted request and falls by ${limit.perSecond} a second. While requests are throttled, each that is admitted lifts it to ${limit.burst}, in the most generous reading of the burst to ${most}: more is too lax, and less for long too strict. A short dip is a pause of the sender; below zero it falls only while requests are throttled.`;
  return [
    chart(title, legend, caption, { seconds, top, bottom }, ({ line, area, outside }) => [
      area('band', [...level(least, seconds), ...level(most, seconds).toReversed()]),
      line('bound', level(most, seconds)),
      // The dashes of the earlier run are above the line of the later one, so that both are seen where they are alike.
      ...leads.map((lead, i) => line(kinds[i]?.[0] ?? '', lead)).toReversed(),
      outside(0, most, over.length > 0 ? leads.map((lead) => area('over', down(lead))) : []),
    ]),
  ];
}

const limitOf = (run: LoadReport | undefined) => run?.keys[0]?.limit ?? usualLimit;

/** The lead after each admission, and what it fell to. Below zero it falls only while the key wanted more: in seconds that have a 429. */
function leadOf(report: LoadReport): readonly Point[] {
  const { perSecond } = limitOf(report);
  const short = new Set(report.timeline.flatMap(({ second, throttled }) => (throttled > 0 ? [second] : [])));
  const ends = report.timeline.slice(0, -1).map(({ second }): Point => [second + 1, 0]);
  let [lead, time, counted, drawn] = [0, 0, 0, [0, 0] as Point];
  const steps = [...report.admitted, ...ends].sort(([a], [b]) => a - b);
  return steps.flatMap(([at, count]): readonly Point[] => {
    // After the last 429 nothing makes up for what is missing.
    if (lead < -1 && at > Math.max(...short) + 1) return [];
    const fallen = lead - perSecond * (at - time);
    const before = short.has(Math.floor(time)) ? fallen : Math.max(0, fallen);
    const [more, [since, last]] = [Math.max(0, count - counted), drawn];
    [lead, time, counted] = [before + more, at, counted + more];
    if (more === 0 && before > -1) return [];
    drawn = [at, lead];
    if (before > -1 && lead >= last - 1) return [drawn];
    return [...(before === 0 ? [[since + last / perSecond, 0] as const] : []), [at, before], drawn];
  });
}

/** A curve that ends at zero. */
const down = (curve: readonly Point[]): readonly Point[] => [...curve, [curve.at(-1)?.[0] ?? 0, 0]];

const level = (value: number, seconds: number) => [0, seconds].map((at): Point => [at, value]);

/** The class of a line or an area, and what it shows. */
type Kind = readonly [kind: string, text: string];

const margin = { left: 40, right: 22, top: 10, bottom: 28 };

type Plane = ReturnType<typeof planeOf>;
type Scale = { readonly seconds: number; readonly top: number; readonly bottom: number };

/** A place to draw on, of this size in pixels. @param name of the picture, which ids in it begin with */
function planeOf(name: string, width: number, height: number, { seconds, top, bottom }: Scale) {
  const x = (at: number) => Math.round(10 * (margin.left + (at / seconds) * (width - margin.left - margin.right))) / 10;
  const each = (height - margin.top - margin.bottom) / (1.05 * top - bottom);
  const y = (count: number) => Math.round(height - margin.bottom - (count - bottom) * each);
  const places = (points: readonly Point[]) => points.map(([at, value]) => `${x(at)},${y(value)}`).join(' ');
  let noted = 0;
  return {
    x,
    y,
    /** Without steps of a pixel or two, which would hide the gaps between dashes. */
    line(kind: string, points: readonly Point[]): Markup {
      const far: Point[] = [];
      for (const [at, value] of points) {
        const [since, last] = far.at(-1) ?? [at, Number.POSITIVE_INFINITY];
        if (Math.hypot(x(at) - x(since), y(value) - y(last)) >= 3) far.push([at, value]);
      }
      return html`<polyline class="${kind}" points="${places(far)}"/>`;
    },
    area: (kind: string, points: readonly Point[]) => html`<polygon class="${kind}" points="${places(points)}"/>`,
    bar: (kind: string, [from, to]: Point, [low, high]: Point) =>
      html`<rect class="${kind}" x="${x(from)}" y="${y(high)}" width="${Math.max(1, x(to) - x(from) - 1)}" height="${y(low) - y(high)}"/>`,
    /** A short text beside a point, where the one before leaves room. */
    note([at, value]: Point, text: string): Markup {
      const start = Math.min(x(at) + 4, width - 9 * text.length);
      if (start < noted) return html``;
      noted = start + 9 * text.length;
      return html`<text class="above" x="${start}" y="${y(value) + 12}">${text}</text>`;
    },
    /** Only what is not between two values. */
    outside: (low: number, high: number, parts: readonly Markup[]) =>
      html`<clipPath id="outside-${name}"><path d="M0 0H${width}V${y(high)}H0zM0 ${height}H${width}V${y(low)}H0z"/></clipPath><g clip-path="url(#outside-${name})">${parts}</g>`,
  };
}

/** A titled picture with a legend, drawn for wide and for narrow pages. @param caption how it is read */
function chart(
  title: string,
  legend: readonly Kind[],
  caption: string,
  scale: Scale,
  draw: (plane: Plane) => readonly Markup[],
): Markup {
  const picture = ([name, width, height]: readonly [string, number, number]) => {
    const plane = planeOf(name, width, height, scale);
    const { x, y } = plane;
    const axes = [
      ...ticks(scale.bottom, 1.05 * scale.top, 5).map(
        (count) =>
          html`<line class="grid" x1="${margin.left}" x2="${width - margin.right}" y1="${y(count)}" y2="${y(count)}"/><text x="${margin.left - 8}" y="${y(count) + 4}" text-anchor="end">${count}</text>`,
      ),
      ...ticks(0, scale.seconds, width / 110).map(
        (at) => html`<text x="${x(at)}" y="${height - 8}" text-anchor="middle">${at} s</text>`,
      ),
    ];
    return html`<svg class="${name}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">${axes}${draw(plane)}</svg>`;
  };
  const keys = legend.map(([kind, text]) => html`<li><span class="key ${kind}"></span>${text}</li>`);
  return html`<section><h2>${title}</h2>
<figure class="card"><ul class="legend">${keys}</ul>${[['wide-only', 1040, 280] as const, ['narrow-only', 340, 240] as const].map(picture)}<figcaption class="soft small">${caption}</figcaption></figure></section>`;
}
