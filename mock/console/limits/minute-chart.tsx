import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Minute } from './minute.ts';

interface MinuteChartProps {
  readonly minute: Minute;
  /** The text that screen readers read in place of the chart. */
  readonly summary: string;
}

const height = 240;
const timeOfDay = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium', hour12: false });

/** Colours come from the style sheet, which has them for the light and the dark scheme. */
const colour = (name: string) => () =>
  getComputedStyle(document.documentElement).getPropertyValue(`--chart-${name}`).trim();

function optionsFor(width: number): uPlot.Options {
  const bars = uPlot.paths.bars?.({ size: [0.8, 12] });
  const points = { show: false };
  const filled = (label: string, name: string): uPlot.Series => ({
    label,
    fill: colour(name),
    stroke: colour(name),
    width: 0,
    points,
    ...(bars && { paths: bars }),
  });
  const axis = { stroke: colour('text'), grid: { stroke: colour('grid'), width: 1 }, ticks: { show: false } };
  return {
    width,
    height,
    // Half of the last time label is to the right of the axis.
    padding: [10, 30, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: true }, y: { range: (_, __, max) => [0, Math.max(5, Math.ceil(max * 1.1))] } },
    axes: [
      {
        ...axis,
        size: 30,
        space: 80,
        grid: { show: false },
        values: (_, at) => at.map((second) => timeOfDay.format(second * 1000)),
      },
      { ...axis, size: 40 },
    ],
    series: [
      {},
      // Drawn first, with the height of both counts. The part above the admitted bar is the throttled count.
      filled('throttled', 'throttled'),
      filled('admitted', 'admitted'),
      { label: 'level', stroke: colour('level'), width: 2, points, spanGaps: true },
    ],
  };
}

/** A bar is in the middle of its second. The line of the level has a point wherever its slope changes. */
const dataOf = ({ seconds, level }: Minute): uPlot.AlignedData =>
  uPlot.join([
    [
      seconds.map(({ at }) => at + 0.5),
      seconds.map(({ admitted, throttled }) => admitted + throttled),
      seconds.map(({ admitted }) => admitted),
    ],
    [level.map(({ at }) => at), level.map((corner) => corner.level)],
  ]);

/** Admitted and throttled requests per second, stacked, and the level of the bucket. */
export function MinuteChart({ minute, summary }: MinuteChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const made = new uPlot(optionsFor(element.clientWidth), [[], [], [], []], element);
    chart.current = made;
    const resized = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => made.redraw();
    scheme.addEventListener('change', redraw);
    return () => {
      resized.disconnect();
      scheme.removeEventListener('change', redraw);
      made.destroy();
      chart.current = null;
    };
  }, []);
  useEffect(() => chart.current?.setData(dataOf(minute)), [minute]);
  return (
    <figure className="chart">
      <div ref={place} role="img" aria-label={summary} />
      <figcaption>
        <span className="key admitted">admitted per second</span>
        <span className="key throttled">throttled per second (429)</span>
        <span className="key level">level of the bucket</span>
      </figcaption>
    </figure>
  );
}
