import { constants } from 'node:os';

/** What ends a terminal or a job: Ctrl-C, `kill`, a closed terminal, Ctrl-\, Ctrl-Break on Windows, used-up CPU time. */
export const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGBREAK', 'SIGXCPU'] as const;
type EndingSignal = (typeof endingSignals)[number];

/** Milliseconds. npm passes Ctrl-C on to a process that has got it from the terminal, so a signal this soon is the same key. */
const sameKey = 1_000;

/**
 * Aborts at the first signal that ends a terminal or a job, so that changes can be undone and reports be written.
 * From then on only another key ends the process: a cancelled job gets SIGTERM after SIGINT, a closed terminal SIGHUP twice.
 * @param first called at the first signal
 * @param again called at a later Ctrl-C; the default ends the process at once
 * @returns the end of its scope is the end of listening, but not after a signal, because reports are written then
 */
export function interruption(
  first: () => void = () => undefined,
  again: (signal: EndingSignal) => void = endAtOnce,
): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  let at: number | undefined;
  const hear = (signal: EndingSignal) => {
    const now = performance.now();
    if (at === undefined) {
      at = now;
      first();
      controller.abort();
    } else if (['SIGINT', 'SIGQUIT', 'SIGBREAK'].includes(signal) && now - at >= sameKey) again(signal);
  };
  const listeners = endingSignals.map((signal) => [signal, () => hear(signal)] as const);
  for (const [signal, listener] of listeners) process.on(signal, listener);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      if (at === undefined) for (const [signal, listener] of listeners) process.off(signal, listener);
    },
  };
}

/** Not by the signal itself, which would skip what ends child processes. */
const endAtOnce = (signal: EndingSignal) => process.exit(128 + (constants.signals[signal] ?? 0));
