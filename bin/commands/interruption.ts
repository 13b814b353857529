import { onInterruption } from '../../spec/interruption.ts';

/**
 * Aborts at the first signal that ends a terminal or a job, so that changes can be undone. A later Ctrl-C ends the process.
 * @param onInterrupt is called at the first one
 */
export function interruption(onInterrupt: () => void = () => undefined): {
  readonly signal: AbortSignal;
  stopListening(): void;
} {
  const controller = new AbortController();
  const stopListening = onInterruption(() => {
    onInterrupt();
    controller.abort();
  });
  return { signal: controller.signal, stopListening };
}
