import type { LoadReport } from '../report/report-schema.ts';

interface WatchOptions {
  /** Runs the scenario once and judges it. */
  readonly run: () => Promise<LoadReport>;
  /** Milliseconds from the start of one run to the start of the next. */
  readonly every: number;
  /** The least milliseconds from the end of a run to the next, so that the bucket is full again. */
  readonly rest: number;
  /** Milliseconds after which no run begins any more. */
  readonly for: number;
  readonly now: () => number;
  /** Resolves after so many milliseconds, or when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Ends the watch; a run that is under way is not counted. */
  readonly signal: AbortSignal;
  readonly onReport: (report: LoadReport) => void;
}

/** Runs a scenario again and again: nothing of a run is kept, so that days take no more memory than minutes. */
export async function watch({ run, every, rest, now, sleep, signal, onReport, ...options }: WatchOptions) {
  const end = now() + options.for;
  for (;;) {
    const startedAt = now();
    const report = await run();
    if (signal.aborted) return;
    onReport(report);
    const next = Math.max(startedAt + every, now() + rest);
    if (next > end) return;
    await sleep(next - now(), signal);
    if (signal.aborted) return;
  }
}
