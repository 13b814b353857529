/** Milliseconds that a request waits for the others. They may not come, because the run ends or a key pauses. */
const maxWait = 3_000;

/** A barrier: the returned function resolves when it was called once for each request. */
export function createBarrier(
  requests: number,
  sleep: (milliseconds: number) => Promise<void>,
): () => Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let arrived = 0;
  return () => {
    arrived++;
    if (arrived === requests) resolve();
    return Promise.race([promise, sleep(maxWait)]);
  };
}
