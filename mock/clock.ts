import { durationForms, milliseconds } from '../spec/text/duration.ts';

/** Milliseconds, or text with a unit such as `250ms`. */
export type Duration = number | string;

/**
 * The one clock of a mock: buckets, upload URLs, timestamps and signatures all read it, so that a test moves time for
 * everything at once. It follows the machine's monotonic clock until it is frozen, shifted by what was advanced.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch, with fractions. */
  now(): number;
  /**
   * Moves time forward by milliseconds or a duration such as `250ms`, `2s`, `5m`, `1h`, `1d`.
   * @throws RangeError otherwise, and for what would lead beyond `latestInstant`
   */
  advance(duration: number | string): void;
  /** Stops time, at `at` (milliseconds or an ISO date-time) or where it is. */
  freeze(at?: number | string): void;
  /** Back to real time. */
  reset(): void;
  readonly frozen: boolean;
  /** Milliseconds by which this clock is ahead of the real one. */
  readonly offset: number;
}

/** Real time that cannot jump when the machine's wall clock is set: the epoch at start plus a monotonic counter. */
function realTime(): () => number {
  // Read here: the command line needs this file for its durations alone, and `performance` is slow to load.
  const origin = performance.timeOrigin;
  return () => origin + performance.now();
}

/**
 * A clock of its own.
 * @param source milliseconds since the epoch; a simulation passes its own
 */
export function createClock(source: () => number = realTime()): Clock {
  let offset = 0;
  let frozenAt: number | null = null;
  const now = () => frozenAt ?? source() + offset;
  return {
    now,
    advance(duration) {
      const milliseconds = toMilliseconds(duration);
      if (now() + milliseconds > latestInstant) {
        throw new RangeError('the clock cannot be advanced beyond the year 9999; reset it to come back to real time');
      }
      if (frozenAt === null) offset += milliseconds;
      else frozenAt += milliseconds;
    },
    freeze(at) {
      frozenAt = at === undefined ? now() : toInstant(at);
    },
    reset() {
      offset = 0;
      frozenAt = null;
    },
    get frozen() {
      return frozenAt !== null;
    },
    get offset() {
      return frozenAt === null ? offset : frozenAt - source();
    },
  };
}

/** Milliseconds of a duration given as a number of milliseconds or as text with a unit. @throws RangeError naming the remedy. */
export function toMilliseconds(duration: number | string): number {
  const value = typeof duration === 'number' ? duration : (milliseconds(duration) ?? Number.NaN);
  if (!Number.isFinite(value) || value < 0 || value > maxDuration) {
    throw new RangeError(
      `not a duration: ${JSON.stringify(duration)}; give milliseconds >= 0 or ${durationForms} (10 years at most)`,
    );
  }
  return value;
}

/** The longest duration taken at once: what is longer is a slip of the pen. */
export const maxDuration = 10 * 366 * 86_400_000;

/** The last day of the year 9999: later dates, an upload URL's expiry among them, do not fit the formats that replies use. */
export const latestInstant = 253_402_214_400_000;

function toInstant(at: number | string): number {
  const instant = typeof at === 'number' ? at : Date.parse(at);
  if (!Number.isFinite(instant) || instant < 0 || instant > latestInstant) {
    throw new RangeError(
      `not a point in time: ${JSON.stringify(at)}; give milliseconds since 1970 or an ISO date-time such as "2026-11-21T10:00:00Z"`,
    );
  }
  return instant;
}
