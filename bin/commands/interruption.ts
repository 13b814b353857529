/**
 * Aborts at the first Ctrl-C or SIGTERM, so that changes can be undone. The second one ends the process as usual.
 * @param onInterrupt is called at the first one
 */
export function interruption(onInterrupt: () => void): { readonly signal: AbortSignal; stopListening(): void } {
  const controller = new AbortController();
  const stopListening = () => process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  function interrupt() {
    stopListening();
    onInterrupt();
    controller.abort();
  }
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  return { signal: controller.signal, stopListening };
}
