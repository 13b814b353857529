import type { Limiter } from './bucket.ts';

/** The requests of a quarter of a second. Times are milliseconds since the epoch, by the mock's clock. */
export interface BucketMoment {
  /** When the first of these requests was checked. */
  readonly from: number;
  /** When the last of these requests was checked. */
  readonly to: number;
  readonly admitted: number;
  readonly throttled: number;
  /** The level of the bucket before the first request; Infinity without a limit. */
  readonly before: number;
  /** The level of the bucket after the last request. */
  readonly after: number;
}

/** A limiter that remembers its last minute. */
export interface RecordedLimiter extends Limiter {
  /** The last minute before `now`, oldest first. Quarters of a second without a request are left out. */
  lastMinute(now: number): BucketMoment[];
}

const minute = 60_000;
/** In milliseconds. */
const quarter = 250;
const maxMoments = minute / quarter + 1;

/** Records the decisions of a limiter. */
export function recorded(limiter: Limiter): RecordedLimiter {
  let moments: { -readonly [Field in keyof BucketMoment]: BucketMoment[Field] }[] = [];
  let last = -1;
  return {
    take(now) {
      const at = Math.floor(now / quarter);
      if (at !== last) {
        last = at;
        moments.push({ from: now, to: now, admitted: 0, throttled: 0, before: limiter.level(now), after: 0 });
        if (moments.length > maxMoments) moments.shift();
      }
      const wait = limiter.take(now);
      const moment = moments.at(-1);
      if (moment === undefined) return wait;
      moment[wait > 0 ? 'throttled' : 'admitted']++;
      moment.to = now;
      moment.after = limiter.level(now);
      return wait;
    },
    // If the clock was set back, later moments are left out.
    lastMinute: (now) => moments.filter(({ to }) => to > now - minute && to <= now).map((moment) => ({ ...moment })),
    level: (now) => limiter.level(now),
    limitTo: (limit, now) => limiter.limitTo(limit, now),
    refill() {
      limiter.refill();
      moments = [];
      last = -1;
    },
  };
}
