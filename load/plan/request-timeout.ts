/** A request is given up after this time, so that no request is still on its way when a run ends. */
export const requestTimeoutMs = 10_000;
