import { durationForms, milliseconds } from '../spec/text/duration.ts';

/** Milliseconds, or text with a unit such as `250ms`. */
export type Duration = number | string;

/**
 * The clock of a mock. Buckets, upload URLs, timestamps and signatures all read it, so that a test moves time for
 * everything at once. It follows `performance.now()`, also that of fake timers, plus what it was advanced by, until it is frozen.
 */
export type Clock = ReturnType<typeof createClock>;

/**
 * Real time that does not jump when the machine's wall clock is set. Fake timers replace `performance` by one that begins at 0;
 * what passes on either is added up.
 */
function realTime(): () => number {
  // Not read at load time: the command line uses this file for durations only, and `performance` is slow to load.
  let counter = performance;
  let origin = Date.now() - counter.now();
  const left = new WeakMap<object, number>();
  return () => {
    if (counter !== performance) {
      const leftAt = counter.now();
      left.set(counter, leftAt);
      counter = performance;
      origin += leftAt - (left.get(counter) ?? 0);
    }
    return origin + counter.now();
  };
}

/**
 * Creates a clock.
 * @param source milliseconds since the epoch; real time by default
 */
export function createClock(source?: () => number) {
  const real = () => source ?? realTime();
  let time = real();
  let offset = 0;
  let frozenAt: number | null = null;
  const now = (): number => frozenAt ?? time() + offset;
  return {
    /** Milliseconds since the Unix epoch, with fractions. */
    now,
    /**
     * Moves time forward by milliseconds or a duration such as `250ms`, `2s`, `5m`, `1h`, `1d`.
     * @throws RangeError for anything else, and beyond the year 9999
     */
    advance(duration: Duration): void {
      const milliseconds = toMilliseconds(duration);
      if (now() + milliseconds > latestInstant) {
        throw new RangeError('the clock cannot be advanced beyond the year 9999; reset it to come back to real time');
      }
      if (frozenAt === null) offset += milliseconds;
      else frozenAt += milliseconds;
    },
    /** Stops time: at `at` (milliseconds or an ISO date-time), or at the current time. */
    freeze(at?: number | string): void {
      frozenAt = at === undefined ? now() : toInstant(at);
    },
    /** Back to real time. */
    reset(): void {
      time = real();
      offset = 0;
      frozenAt = null;
    },
    get frozen(): boolean {
      return frozenAt !== null;
    },
    /** How many milliseconds this clock is ahead of real time. */
    get offset(): number {
      return frozenAt === null ? offset : frozenAt - time();
    },
  };
}

/** A duration in milliseconds. @throws RangeError that names the allowed forms */
export function toMilliseconds(duration: number | string): number {
  const value = typeof duration === 'number' ? duration : (milliseconds(duration) ?? Number.NaN);
  if (!Number.isFinite(value) || value < 0 || value > maxDuration) {
    throw new RangeError(
      `not a duration: ${JSON.stringify(duration)}; give milliseconds >= 0 or ${durationForms} (10 years at most)`,
    );
  }
  return value;
}

/** A longer duration is taken for a typing error. */
export const maxDuration = 10 * 366 * 86_400_000;

/** The last day of the year 9999. Later dates do not fit the date formats of replies. */
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
