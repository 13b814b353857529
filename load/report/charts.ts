import { totalOf } from '../../spec/limiter/admission.ts';
import { largestBurst } from '../../spec/limiter/limit.ts';
import { html, type Markup } from '../../spec/report-page/markup.ts';
import { ticks } from '../../spec/report-page/ticks.ts';
import type { LoadReport } from './report-schema.ts';

type Point = readonly [second: number, value: number];

const limitOf = ({ keys }: LoadReport) => keys[0]?.limit ?? { perSecond: 10, burst: 20 };
const declaredRate = ({ keys }: LoadReport) => keys.reduce((sum, { limit }) => sum + limit.perSecond, 0);

/** By how many requests a key was ahead of its declared rate, after each that was admitted: what a bucket of that rate has given out. */
function leadOf(report: LoadReport): readonly Point[] {
  const { perSecond } = limitOf(report);
  let [lead, last, counted] = [0, 0, 0];
  return report.admitted.flatMap(([at, count]) => {
    const before = Math.max(0, lead - perSecond * (at - last));
    lead = before + count - counted;
    [last, counted] = [at, count];
    return [
      [at, before],
      [at, lead],
    ] as const;
  });
}

/** The charts of a run; of two runs, the earlier one first, as two lines. */
export function charts(runs: readonly LoadReport[]): readonly Markup[] {
  const after = runs.at(-1);
  if (after === undefined || after.timeline.length === 0) return [];
  const seconds = Math.max(...runs.map((run) => (run.timeline.at(-1)?.second ?? 0) + 1));
  const rate = declaredRate(after);
  const shown = runs.length === 1 ? totalOf : ({ admitted }: LoadReport['timeline'][number]) => admitted;
  const most = Math.max(rate, ...runs.flatMap(({ timeline }) => timeline.map(shown)));
  const kinds = runs.length === 1 ? ['curve'] : ['before', 'curve'];
  const words = runs.length === 1 ? [] : ([kindOfLine('before', 'before'), kindOfLine('curve', 'after')] as const);
  const traffic = chart(
    runs.length === 1 ? 'Requests per second' : 'Admitted per second',
    runs.length === 1
      ? [['admitted', 'admitted'], ['throttled', 'throttled (429)'], ['unknown', 'no usable answer'], declared]
      : [...words, declared],
    { seconds, top: most },
    ({ x, y }) => [
      ...(runs.length === 1
        ? bars(after, x, y)
        : runs.map((run, i) => {
            const admitted = run.timeline.map(({ second, admitted }) => [second + 0.5, admitted] as const);
            return html`<polyline class="${kinds[i] ?? ''}" points="${line(admitted, x, y)}"/>`;
          })),
      html`<polyline class="bound" points="${x(0)},${y(rate)} ${x(seconds)},${y(rate)}"/>`,
    ],
  );
  const leads = runs.map(leadOf);
  if (leads.some((lead) => lead.length === 0)) return [traffic];
  const points = leads.at(-1) ?? [];
  const { burst } = limitOf(after);
  const [least, largest] = [burst, largestBurst(limitOf(after))];
  const level = (value: number): readonly Point[] => [
    [0, value],
    [seconds, value],
  ];
  const lead = chart(
    `Admitted ahead of ${limitOf(after).perSecond} per second`,
    [
      ...(runs.length === 1 ? [kindOfLine('curve', 'requests ahead of the declared rate')] : words),
      ['band', `a full bucket: ${least} to ${largest}, by the reading of the burst`],
      ['over', 'more than any reading allows'],
    ],
    { seconds, top: Math.max(1.2 * largest, ...leads.flat().map(([, value]) => value)) },
    ({ x, y }) => [
      html`<polygon class="band" points="${line([...level(least), ...level(largest).toReversed()], x, y)}"/>`,
      ...[least, largest].map((value) => html`<polyline class="bound" points="${line(level(value), x, y)}"/>`),
      ...leads.map((points, i) => html`<polyline class="${kinds[i] ?? ''}" points="${line(points, x, y)}"/>`),
      ...(points.some(([, value]) => value > largest)
        ? [
            html`<polygon class="over" points="${line([...points.map(([at, value]): Point => [at, Math.max(largest, value)]), [points.at(-1)?.[0] ?? 0, largest]], x, y)}"/>`,
          ]
        : []),
    ],
  );
  return [traffic, lead];
}

const kindOfLine = (kind: string, text: string) => [kind, text] as const;
const declared = kindOfLine('bound', 'declared rate');

/** Admitted below and throttled above. A long run has more seconds than there is room for columns: each then shows its busiest second. */
function bars({ timeline, seconds }: LoadReport, x: Plane['x'], y: Plane['y']): readonly Markup[] {
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

interface Plane {
  readonly x: (seconds: number) => number;
  readonly y: (count: number) => number;
}

const line = (points: readonly Point[], x: Plane['x'], y: Plane['y']): string =>
  points.map(([at, value]) => `${x(at)},${y(value)}`).join(' ');

const margin = { left: 40, right: 10, top: 10, bottom: 28 };

/** A titled picture with a legend, drawn for wide and for narrow pages. */
function chart(
  title: string,
  legend: readonly (readonly [kind: string, text: string])[],
  { seconds, top }: { readonly seconds: number; readonly top: number },
  draw: (plane: Plane) => readonly Markup[],
): Markup {
  const picture = ([name, width, height]: readonly [string, number, number]) => {
    const x = (at: number) => Math.round(margin.left + (at / seconds) * (width - margin.left - margin.right));
    const y = (count: number) =>
      Math.round(height - margin.bottom - (count / (1.05 * top)) * (height - margin.top - margin.bottom));
    const axes = [
      ...ticks(1.05 * top, 5).map(
        (count) =>
          html`<line class="grid" x1="${margin.left}" x2="${width - margin.right}" y1="${y(count)}" y2="${y(count)}"/><text x="${margin.left - 8}" y="${y(count) + 4}" text-anchor="end">${count}</text>`,
      ),
      ...ticks(seconds, width / 110).map(
        (at) => html`<text x="${x(at)}" y="${height - 8}" text-anchor="middle">${at} s</text>`,
      ),
    ];
    return html`<svg class="${name}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">${axes}${draw({ x, y })}</svg>`;
  };
  const keys = legend.map(([kind, text]) => html`<li><span class="key ${kind}"></span>${text}</li>`);
  return html`<h2>${title}</h2>
<figure class="card"><ul class="legend">${keys}</ul>${[['wide-only', 1040, 280] as const, ['narrow-only', 340, 240] as const].map(picture)}</figure>`;
}
