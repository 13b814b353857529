import { createServedMock } from '../../adapters/create-served-mock.ts';

/** The answer of a mock in another process to any message. */
export interface ServedMockState {
  /** Bytes resident, after a collection. */
  readonly resident: number;
  readonly connections: number;
}

// Run by `fork`: first tells its port, so that a test can fill this process with connections and not only its own.
const mock = await createServedMock({ rateLimit: false });
const { port, server } = await mock.listen({ port: 0 });
process.on('message', () => {
  globalThis.gc?.();
  server.getConnections((_, connections) => {
    process.send?.({ resident: process.memoryUsage().rss, connections } satisfies ServedMockState);
  });
});
process.on('disconnect', () => process.exit());
process.send?.(port);
