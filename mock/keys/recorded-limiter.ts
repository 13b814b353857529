import type { Limiter } from './bucket.ts';

/** What a bucket was asked in a quarter of a second. Instants are milliseconds since the epoch by the mock's clock. */
export interface BucketMoment {
  /** When the first of these requests was judged. */
  readonly from: number;
  /** When the last was. */
  readonly to: number;
  readonly admitted: number;
  readonly throttled: number;
  /** How full the bucket was before the first; Infinity where there is no limit. */
  readonly before: number;
  /** How full it was after the last. */
  readonly after: number;
}

/** A limiter that remembers its last minute. */
export interface RecordedLimiter extends Limiter {
  /** The last minute before `now`, oldest first; quarters of a second without a request are left out. */
  lastMinute(now: number): BucketMoment[];
}

const minute = 60_000;
/** In milliseconds. */
const quarter = 250;
const most = minute / quarter + 1;

/** Where the numbers of a moment stand, counted from its place in the ring; `before` stands fifth. */
const offset = { to: 1, admitted: 2, throttled: 3, after: 5 } as const;
const fields = 6;

/**
 * Remembers what a limiter decided. A ring of plain numbers, made larger when it is needed: ten thousand keys that are used
 * now and then take little, and no request leaves an object behind.
 */
export function recorded(limiter: Limiter): RecordedLimiter {
  let ring = new Float64Array(0);
  /** Moments noted since the last refill; the newest is at `count - 1`, modulo the size of the ring. */
  let count = 0;

  const size = () => ring.length / fields;
  const placeOf = (moment: number) => (moment % size()) * fields;

  const enlarge = () => {
    if (count < size() || size() >= most) return;
    const larger = new Float64Array(Math.min(most, Math.max(4, size() * 2)) * fields);
    larger.set(ring);
    ring = larger;
  };

  /** The place in the ring for a request judged now. */
  const place = (now: number, level: number): number => {
    const newest = count === 0 ? 0 : placeOf(count - 1);
    if (count > 0 && Math.floor((ring[newest] ?? 0) / quarter) === Math.floor(now / quarter)) return newest;
    enlarge();
    const next = placeOf(count++);
    ring.set([now, now, 0, 0, level, level], next);
    return next;
  };

  return {
    take(now) {
      const at = place(now, limiter.level(now));
      const wait = limiter.take(now);
      const outcome = at + (wait > 0 ? offset.throttled : offset.admitted);
      ring[outcome] = (ring[outcome] ?? 0) + 1;
      ring[at + offset.to] = now;
      ring[at + offset.after] = limiter.level(now);
      return wait;
    },
    lastMinute(now) {
      const found: BucketMoment[] = [];
      for (let i = Math.max(0, count - size()); i < count; i++) {
        const [first = 0, last = 0, passed = 0, refused = 0, level = 0, left = 0] = ring.subarray(placeOf(i));
        // A clock that was set back has not seen what comes after it.
        if (last <= now - minute || last > now) continue;
        found.push({ from: first, to: last, admitted: passed, throttled: refused, before: level, after: left });
      }
      return found;
    },
    level: (now) => limiter.level(now),
    limitTo: (limit, now) => limiter.limitTo(limit, now),
    refill() {
      limiter.refill();
      count = 0;
    },
  };
}
