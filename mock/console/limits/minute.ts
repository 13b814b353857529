import type { LimitDetail } from '../control/control.ts';

const length = 60;
const unix = (instant: string) => Date.parse(instant) / 1_000;

/**
 * The last minute of one key: every second, oldest first, with its admitted and throttled requests, and the level of the
 * bucket as the corners of a line, none for a key without a limit. All times are Unix times in seconds.
 */
export function minuteOf(limit: LimitDetail) {
  const first = Math.floor(unix(limit.now)) - length + 1;
  const seconds = Array.from({ length }, (_, i) => ({ at: first + i, admitted: 0, throttled: 0 }));
  for (const { from, admitted, throttled } of limit.lastMinute) {
    const second = seconds[Math.floor(unix(from)) - first];
    if (second === undefined) continue;
    second.admitted += admitted;
    second.throttled += throttled;
  }
  return { seconds, level: levelOf(limit, first) };
}

/** A bucket refills at a steady rate until it is full. */
function levelOf({ rateLimit, level, lastMinute, now }: LimitDetail, start: number) {
  if (rateLimit === null || level === null) return [];
  const { perSecond, burst } = rateLimit;
  const corners: { at: number; level: number }[] = [];
  for (const { from, to, before, after } of [...lastMinute, { from: now, to: now, before: level, after: level }]) {
    const at = unix(from);
    if (before === null || after === null || at <= start) continue;
    const least = before >= burst ? before : Math.max(0, before - (at - start) * perSecond);
    const last = corners.at(-1) ?? { at: start, level: least };
    if (corners.length === 0) corners.push(last);
    const full = last.at + (before - last.level) / perSecond;
    if (full > last.at && full < at) corners.push({ at: full, level: before });
    corners.push({ at, level: before });
    if (after !== before) corners.push({ at: unix(to), level: after });
  }
  return corners;
}
