import { instantInWords } from '../../../spec/text/time-in-words.ts';
import type { LimitDetail } from '../control/control.ts';
import { minuteOf } from './minute.ts';

/** Seconds between two times below the chart. */
const step = 10;

/** Whole numbers for the lines of the chart, from 0 to above the highest value. */
function gridUpTo(highest: number): readonly number[] {
  const size = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((each) => each * 4 >= highest) ?? Math.ceil(highest / 4);
  return Array.from({ length: Math.max(2, Math.ceil(highest / size)) + 1 }, (_, i) => i * size);
}

const legend = {
  admitted: 'admitted per second',
  throttled: 'throttled per second (429)',
  level: 'level of the bucket',
} as const;

/** Admitted and throttled requests per second, stacked, and the level of the bucket. */
export function MinuteChart({ limit }: { readonly limit: LimitDetail }) {
  const { seconds, level } = minuteOf(limit);
  const start = seconds[0]?.at ?? 0;
  const counts = seconds.map(({ admitted, throttled }) => admitted + throttled);
  const grid = gridUpTo(Math.max(...counts, ...level.map((corner) => corner.level)));
  const top = grid.at(-1) ?? 1;
  const now = limit.level === null ? '' : `, level now ${limit.level.toFixed(1)}`;
  const bar = (kind: 'admitted' | 'throttled', i: number, height: number, below: number) =>
    height > 0 && (
      <rect key={kind + i} className={kind} x={i + 0.1} y={top - below - height} width={0.8} height={height} />
    );
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
          {seconds.map(({ admitted }, i) => bar('admitted', i, admitted, 0))}
          {seconds.map(({ admitted, throttled }, i) => bar('throttled', i, throttled, admitted))}
          <polyline points={level.map((corner) => `${corner.at - start},${top - corner.level}`).join(' ')} />
        </svg>
        <div className="chart-times">
          {seconds.map(
            ({ at }, i) =>
              i % step === 0 && (
                <span key={at}>{instantInWords(new Date(at * 1_000).toISOString()).slice(11, 19)}</span>
              ),
          )}
        </div>
      </div>
      <figcaption className="row">
        {Object.entries(legend).map(([kind, words]) => (
          <span key={kind}>
            <span className={`swatch ${kind}`} aria-hidden="true" /> {words}
          </span>
        ))}
        <span className="last quiet">Times in UTC</span>
      </figcaption>
    </figure>
  );
}
