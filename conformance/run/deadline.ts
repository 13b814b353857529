import type { Environment } from '../client/environment.ts';
import { undoTime } from '../numbers.ts';

export type Deadline = ReturnType<typeof createDeadline>;

/** The end of a run by the clock. */
export function createDeadline(
  { sleep, now }: Pick<Environment, 'sleep' | 'now'>,
  signal?: AbortSignal,
  maxDuration?: number,
) {
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
    /** Aborts when scripts end: at an interruption, or when no more than the time to undo is left. */
    signal: signal === undefined ? scripts : AbortSignal.any([signal, scripts]),
    /** Aborts when undoing ends, too. */
    last: after(maxDuration),
    /** Milliseconds until then. */
    left: () => endsAt - now(),
    /** The run has ended by itself. */
    end: () => ended.abort(),
  };
}
