/** Waits without blocking: `sleep` of k6 would stop every request of this VU. Milliseconds. */
export const pause = (ms: number): Promise<void> =>
  ms <= 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));
