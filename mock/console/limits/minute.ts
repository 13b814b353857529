import type { LimitDetail } from '../control/control.ts';

interface Corner {
  readonly at: number;
  readonly level: number;
}

const length = 60;
/** The chart allows one value per instant, so a sudden change is drawn a millisecond wide. */
const instantWidth = 0.001;
const unix = (instant: string) => Date.parse(instant) / 1_000;

/**
 * The last minute of one key: every second, oldest first, with its admitted and throttled requests, and the level of the
 * bucket as the corners of a line, none for a key without a limit. All times are Unix times in seconds.
 */
export function minuteOf(limit: LimitDetail) {
  const now = unix(limit.now);
  const first = Math.floor(now) - length + 1;
  const seconds = Array.from({ length }, (_, i) => ({ at: first + i, admitted: 0, throttled: 0 }));
  for (const { from, admitted, throttled } of limit.lastMinute) {
    const second = seconds[Math.floor(unix(from)) - first];
    if (second === undefined) continue;
    second.admitted += admitted;
    second.throttled += throttled;
  }
  return { seconds, level: levelOf(limit, first, now) };
}

function levelOf({ rateLimit, level, lastMinute }: LimitDetail, start: number, now: number): Corner[] {
  if (rateLimit === null || level === null) return [];
  const { perSecond, burst } = rateLimit;
  const corners: Corner[] = [];
  let left: Corner | undefined;
  /** A bucket refills at a steady rate until it is full. */
  const refillTo = (right: Corner) => {
    const since = left ?? { at: start, level: Math.max(0, right.level - (right.at - start) * perSecond) };
    const full = since.at + (right.level - since.level) / perSecond;
    if (left === undefined) corners.push(right.level >= burst ? { ...since, level: right.level } : since);
    else if (full > since.at && full < right.at - instantWidth) corners.push({ at: full, level: right.level });
    corners.push(right);
  };
  for (const { from, to, before, after } of lastMinute) {
    const at = unix(from);
    if (before === null || after === null || at <= start) continue;
    refillTo({ at, level: before });
    left = { at: Math.max(unix(to), at + instantWidth), level: after };
    corners.push(left);
  }
  refillTo({ at: Math.max(now, (left?.at ?? start) + instantWidth), level });
  return corners;
}
