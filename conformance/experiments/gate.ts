/** Lets requests through side by side, or one experiment alone. */
export interface Gate {
  /** Waits while an experiment has the deployment to itself. */
  shared<T>(send: () => Promise<T>): Promise<T>;
  /** Waits until nothing is under way, and keeps everything else back until it ends. Experiments wait for each other. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
}

export function createGate(): Gate {
  let underWay = 0;
  let drained: (() => void) | null = null;
  /** Ends with the experiment that has the deployment, or that waits for it. */
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    async shared(send) {
      while (waiting > 0) await last;
      underWay++;
      try {
        return await send();
      } finally {
        underWay--;
        if (underWay === 0) drained?.();
      }
    },
    async exclusive(work) {
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = before.then(() => promise);
      waiting++;
      try {
        await before;
        if (underWay > 0)
          await new Promise<void>((done) => {
            drained = done;
          });
        drained = null;
        return await work();
      } finally {
        waiting--;
        resolve();
      }
    },
  };
}
