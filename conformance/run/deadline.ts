import type { Environment } from '../client/environment.ts';
import { undoTime } from '../experiments/numbers.ts';

/** The end of a run by the clock. */
export interface Deadline {
  /** Aborts when scripts end: at an interruption, or when no more than the time to undo is left. */
  readonly signal: AbortSignal;
  /** Aborts when undoing ends, too. */
  readonly last: AbortSignal;
  /** Milliseconds until then. */
  left(): number;
  /** The run has ended by itself. */
  end(): void;
}

interface DeadlineOptions {
  readonly environment: Environment;
  readonly signal?: AbortSignal;
  readonly maxDuration?: number;
}

export function createDeadline({ environment, signal, maxDuration }: DeadlineOptions): Deadline {
  const [scripts, undoing, ended] = [new AbortController(), new AbortController(), new AbortController()];
  const endsAt = maxDuration === undefined ? Number.POSITIVE_INFINITY : environment.now() + maxDuration;
  const after = async (milliseconds: number, { abort }: { readonly abort: () => void }) => {
    await environment.sleep(milliseconds, ended.signal);
    if (!ended.signal.aborted) abort();
  };
  if (maxDuration !== undefined) {
    void after(Math.max(maxDuration - undoTime, maxDuration / 2), { abort: () => scripts.abort() });
    void after(maxDuration, { abort: () => undoing.abort() });
  }
  return {
    signal: signal === undefined ? scripts.signal : AbortSignal.any([signal, scripts.signal]),
    last: undoing.signal,
    left: () => endsAt - environment.now(),
    end: () => ended.abort(),
  };
}
