import type { CSSProperties, ReactNode } from 'react';
import type { Limit, LimitDetail } from '../control/control.ts';
import { describeCount } from '../parts/words.ts';
import { FirstRequest } from '../requests/requests-view.tsx';
import { minuteOf } from './minute.ts';

/** Whole numbers for the lines of a chart, from 0 to above the highest value. */
function gridUpTo(highest: number): readonly number[] {
  const digits = 10 ** Math.floor(Math.log10(Math.max(1, highest / 4)));
  const size = [1, 2, 5, 10].map((each) => each * digits).find((each) => each * 4 >= highest) ?? highest;
  return Array.from({ length: Math.max(2, Math.ceil(highest / size)) + 1 }, (_, i) => i * size);
}

const timeOf = (at: number) => new Date(at * 1_000).toISOString().slice(11, 19);

/** The last minute in two charts above the same times: requests against the rate, and the level against the burst. */
export function MinuteChart({ limit }: { readonly limit: LimitDetail }) {
  const { seconds, level } = minuteOf(limit);
  const start = seconds[0]?.at ?? 0;
  const times = seconds.filter(({ at }) => at % 10 === 0).map(({ at }) => at - start);
  const { perSecond = 0, burst = 0 } = limit.rateLimit ?? {};
  const most = Math.max(...seconds.map(({ admitted, throttled }) => admitted + throttled));
  if (most === 0) return <FirstRequest of={limit}>It was not used in the last minute.</FirstRequest>;
  // A rate far above all bars would leave no height for them.
  const rate = perSecond <= 5 * Math.max(most, 20) ? perSecond : 0;
  const now = limit.level === null ? '' : `, level now ${limit.level.toFixed(1)}`;
  return (
    <figure className="card chart">
      <div
        role="img"
        aria-label={`Key ${limit.name}, the last minute: ${limit.admitted} admitted, ${limit.throttled} throttled${now}`}
      >
        <Plot
          title={`Requests per second, peak ${describeCount(most)}`}
          highest={Math.max(most, rate)}
          legend={{
            admitted: 'admitted',
            throttled: 'throttled (429)',
            rate: perSecond > 0 && `rate: ${describeCount(perSecond)}/s${rate > 0 ? '' : ', far above'}`,
          }}
        >
          {seconds.map(({ at, admitted, throttled }, i) => (
            <g key={at}>
              <title>{`${timeOf(at)}: ${admitted} admitted, ${throttled} throttled`}</title>
              {admitted > 0 && <rect className="admitted" x={i + 0.1} width={0.8} height={admitted} />}
              {throttled > 0 && <rect className="throttled" x={i + 0.1} y={admitted} width={0.8} height={throttled} />}
            </g>
          ))}
          {rate > 0 && <path className="rate" d={`M0 ${rate}H60`} />}
        </Plot>
        {burst > 0 && (
          <Plot
            title={`Level of the bucket, full at ${describeCount(burst)}`}
            highest={Math.max(burst, ...level.map((corner) => corner.level))}
          >
            <polyline
              className="level"
              points={level.map((corner) => `${corner.at - start},${corner.level}`).join(' ')}
            />
          </Plot>
        )}
        <span className="quiet">UTC</span>
        <div className="chart-times quiet">
          {times.map((i) => (
            <span key={i} style={{ '--at': i + 0.5 } as CSSProperties}>
              {timeOf(start + i)}
            </span>
          ))}
        </div>
      </div>
    </figure>
  );
}

interface PlotProps {
  readonly title: string;
  readonly highest: number;
  /** What each kind of mark means; false for one that is not drawn. */
  readonly legend?: Readonly<Record<string, string | false>>;
  /** The marks: a second is as wide as a request is high, and they grow upwards. */
  readonly children: ReactNode;
}

/** One chart: its title with the meaning of its marks, its scale, and a minute of marks. */
function Plot({ title, highest, legend = {}, children }: PlotProps) {
  const grid = gridUpTo(highest).toReversed();
  return (
    <>
      <p className="row">
        <strong>{title}</strong>
        {Object.entries(legend).map(
          ([kind, words]) =>
            words && (
              <span key={kind}>
                <span className={`swatch ${kind}`} /> {words}
              </span>
            ),
        )}
      </p>
      <div className="chart-scale quiet">
        {grid.map((value) => (
          <span key={value}>{describeCount(value)}</span>
        ))}
      </div>
      <svg viewBox={`0 0 60 ${grid[0]}`} preserveAspectRatio="none" aria-hidden="true">
        <g transform={`matrix(1 0 0 -1 0 ${grid[0]})`}>
          <path d={grid.map((value) => `M0 ${value}H60`).join('')} />
          {children}
        </g>
      </svg>
    </>
  );
}

/** How much a bucket holds. */
export function Level({ name, level, rateLimit }: Limit) {
  if (level === null || rateLimit === null) return <span className="quiet">no limit</span>;
  const { burst } = rateLimit;
  const most = describeCount(burst);
  // With figure spaces, which are as wide as digits: nothing moves while it counts.
  const now = level.toLocaleString('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return (
    <span className="whole">
      <meter min={0} max={Math.max(burst, level)} low={burst / 4} value={level} aria-label={`Level of ${name}`} />{' '}
      {now.padStart(most.length + 2, '\u2007')} of {most}
    </span>
  );
}
