import { instantInWords } from '../../../spec/text/time-in-words.ts';
import type { LimitDetail } from '../control/control-types.ts';
import { minuteOf } from './minute.ts';
import './minute-chart.css';

/** Seconds between two times below the chart. */
const step = 10;

const timeOf = (second: number) => instantInWords(new Date(second * 1_000).toISOString()).slice(11);

/** Whole numbers for the lines of the chart, from 0 to above the highest value. */
function gridUpTo(highest: number): readonly number[] {
  const size = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((each) => each * 4 >= highest) ?? Math.ceil(highest / 4);
  return Array.from({ length: Math.max(2, Math.ceil(highest / size)) + 1 }, (_, i) => i * size);
}

/** Admitted and throttled requests per second, stacked, and the level of the bucket. */
export function MinuteChart({ limit }: { readonly limit: LimitDetail }) {
  const { seconds, level } = minuteOf(limit);
  const start = seconds[0]?.at ?? 0;
  const counts = seconds.map(({ admitted, throttled }) => admitted + throttled);
  const grid = gridUpTo(Math.max(...counts, ...level.map((corner) => corner.level)));
  const top = grid.at(-1) ?? 1;
  const now = limit.level === null ? '' : `, level now ${limit.level.toFixed(1)}`;
  const bars = (kind: 'admitted' | 'throttled') =>
    seconds.map((second, i) => {
      const below = kind === 'throttled' ? second.admitted : 0;
      return (
        second[kind] > 0 && (
          <rect
            key={second.at}
            className={kind}
            x={i + 0.1}
            y={top - below - second[kind]}
            width={0.8}
            height={second[kind]}
          />
        )
      );
    });
  return (
    <figure className="card chart">
      <div
        role="img"
        aria-label={`The last minute of ${limit.name}: ${limit.admitted} admitted, ${limit.throttled} throttled${now}`}
      >
        <div className="chart-scale">
          {grid.toReversed().map((value) => (
            <span key={value}>{value}</span>
          ))}
        </div>
        <svg viewBox={`0 0 ${seconds.length} ${top}`} preserveAspectRatio="none" aria-hidden="true">
          {grid.map((value) => (
            <line key={value} x1={0} x2={seconds.length} y1={top - value} y2={top - value} />
          ))}
          {bars('admitted')}
          {bars('throttled')}
          <polyline points={level.map((corner) => `${corner.at - start},${top - corner.level}`).join(' ')} />
        </svg>
        <div className="chart-times">
          {seconds
            .filter((_, i) => i % step === 0)
            .map(({ at }) => (
              <span key={at}>{timeOf(at)}</span>
            ))}
        </div>
      </div>
      <figcaption className="row">
        <span>
          <span className="admitted swatch" aria-hidden="true" /> admitted per second
        </span>
        <span>
          <span className="throttled swatch" aria-hidden="true" /> throttled per second (429)
        </span>
        <span>
          <span className="level swatch" aria-hidden="true" /> level of the bucket
        </span>
      </figcaption>
    </figure>
  );
}
