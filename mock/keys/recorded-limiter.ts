import type { Limiter, RateLimit } from './bucket.ts';

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
/** A moment takes six numbers of the ring: from, to, admitted, throttled, before, after. */
const fields = 6;

/** Records the decisions of a limiter. */
export const recorded = (limiter: Limiter): RecordedLimiter => new BucketRecord(limiter);

/**
 * The current moment is in fields; earlier moments are in a ring buffer of plain numbers that grows on demand. So ten
 * thousand rarely used keys take little memory, and no request allocates an object.
 */
class BucketRecord implements RecordedLimiter {
  readonly #limiter: Limiter;
  #ring: Float64Array | null = null;
  /** How many moments were put into the ring since the last refill. The newest is at `#count - 1`, modulo the ring's size. */
  #count = 0;
  /** The number of the current quarter of a second since the epoch; -1 before the first request. */
  #quarter = -1;
  #from = 0;
  #to = 0;
  #admitted = 0;
  #throttled = 0;
  #before = 0;
  #after = 0;

  constructor(limiter: Limiter) {
    this.#limiter = limiter;
  }

  take(now: number): number {
    const limiter = this.#limiter;
    const at = Math.floor(now / quarter);
    if (at !== this.#quarter) {
      if (this.#quarter !== -1) this.#keep();
      this.#quarter = at;
      this.#from = now;
      this.#admitted = 0;
      this.#throttled = 0;
      this.#before = limiter.level(now);
    }
    const wait = limiter.take(now);
    if (wait > 0) this.#throttled++;
    else this.#admitted++;
    this.#to = now;
    this.#after = limiter.level(now);
    return wait;
  }

  lastMinute(now: number): BucketMoment[] {
    const found: BucketMoment[] = [];
    const add = (from: number, to: number, admitted: number, throttled: number, before: number, after: number) => {
      // If the clock was set back, later moments are left out.
      if (to > now - minute && to <= now) found.push({ from, to, admitted, throttled, before, after });
    };
    const ring = this.#ring ?? new Float64Array(0);
    const size = ring.length / fields;
    for (let i = Math.max(0, this.#count - size); i < this.#count; i++) {
      const place = (i % size) * fields;
      add(...(ring.subarray(place, place + fields) as unknown as Parameters<typeof add>));
    }
    if (this.#quarter !== -1) {
      add(this.#from, this.#to, this.#admitted, this.#throttled, this.#before, this.#after);
    }
    return found;
  }

  level(now: number): number {
    return this.#limiter.level(now);
  }

  limitTo(limit: RateLimit, now: number): void {
    this.#limiter.limitTo(limit, now);
  }

  refill(): void {
    this.#limiter.refill();
    this.#count = 0;
    this.#quarter = -1;
  }

  /** Moves the finished moment into the ring. */
  #keep(): void {
    const ring = this.#ringWithRoom();
    const place = (this.#count++ % (ring.length / fields)) * fields;
    ring[place] = this.#from;
    ring[place + 1] = this.#to;
    ring[place + 2] = this.#admitted;
    ring[place + 3] = this.#throttled;
    ring[place + 4] = this.#before;
    ring[place + 5] = this.#after;
  }

  #ringWithRoom(): Float64Array {
    const ring = this.#ring;
    const size = ring === null ? 0 : ring.length / fields;
    if (ring !== null && (this.#count < size || size >= maxMoments)) return ring;
    const larger = new Float64Array(Math.min(maxMoments, Math.max(4, size * 2)) * fields);
    if (ring !== null) larger.set(ring);
    this.#ring = larger;
    return larger;
  }
}
