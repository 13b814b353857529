import type { Environment } from '../client/environment.ts';
import { undoTime } from '../numbers.ts';

/** The end of a run by the clock. */
export interface Deadline {
  /** Aborts when scripts end: at an interruption, or when no more than the time to undo is left. */
  readonly signal: AbortSignal | undefined;
  /** Aborts when undoing ends, too. */
  readonly last: AbortSignal | undefined;
  /** Milliseconds until then. */
  left(): number;
  /** The run has ended by itself. */
  end(): void;
}

export function createDeadline(
  { sleep, now }: Pick<Environment, 'sleep' | 'now'>,
  signal?: AbortSignal,
  maxDuration?: number,
): Deadline {
  if (maxDuration === undefined)
    return { signal, last: undefined, left: () => Number.POSITIVE_INFINITY, end: () => undefined };
  const ended = new AbortController();
  const after = (milliseconds: number): AbortSignal => {
    const over = new AbortController();
    void sleep(milliseconds, ended.signal).then(() => over.abort());
    return over.signal;
  };
  const endsAt = now() + maxDuration;
  const scripts = after(Math.max(maxDuration - undoTime, maxDuration / 2));
  return {
    signal: signal === undefined ? scripts : AbortSignal.any([signal, scripts]),
    last: after(maxDuration),
    left: () => endsAt - now(),
    end: () => ended.abort(),
  };
}
