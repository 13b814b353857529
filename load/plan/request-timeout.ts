/** Requests are given up after this long, so that none is still on its way when a run ends. */
export const requestTimeoutMs = 10_000;
