/** Lets requests through side by side, or one experiment alone. An owner is a script: what it has under way ends with it. */
export interface Gate {
  /** Waits while an experiment has the deployment to itself. */
  shared<T>(owner: object, send: () => Promise<T>): Promise<T>;
  /** Waits until nothing is under way, and keeps everything else back until it ends. Experiments wait for each other. */
  exclusive<T>(owner: object, work: () => Promise<T>): Promise<T>;
  /** The owner has ended, perhaps in the middle of what it did, so nothing waits for it any more. */
  leave(owner: object): void;
}

interface Turn {
  readonly owner: object;
  readonly end: () => void;
  readonly ended: Promise<void>;
}

export function createGate(): Gate {
  /** The experiment that has the deployment, and those that wait for it. */
  const turns: Turn[] = [];
  const underWay = new Map<object, number>();
  /** What an owner that has ended still asks for is never done, or others would wait for it. */
  const gone = new WeakSet<object>();
  let wake = Promise.withResolvers<void>();
  const changed = () => {
    wake.resolve();
    wake = Promise.withResolvers();
  };
  const count = (owner: object, by: number) => {
    const left = (underWay.get(owner) ?? 0) + by;
    if (left > 0) underWay.set(owner, left);
    else underWay.delete(owner);
    changed();
  };
  const finish = (turn: Turn) => {
    const place = turns.indexOf(turn);
    if (place >= 0) turns.splice(place, 1);
    turn.end();
    changed();
  };
  return {
    async shared(owner, send) {
      while (turns.length > 0) await turns[0]?.ended;
      if (gone.has(owner)) return new Promise(() => {});
      count(owner, 1);
      try {
        return await send();
      } finally {
        if (underWay.has(owner)) count(owner, -1);
      }
    },
    async exclusive(owner, work) {
      if (gone.has(owner)) return new Promise(() => {});
      const { promise, resolve } = Promise.withResolvers<void>();
      const turn: Turn = { owner, end: resolve, ended: promise };
      turns.push(turn);
      while (turns[0] !== turn || underWay.size > 0) await wake.promise;
      try {
        return await work();
      } finally {
        finish(turn);
      }
    },
    leave(owner) {
      gone.add(owner);
      underWay.delete(owner);
      for (const turn of turns.filter((one) => one.owner === owner)) finish(turn);
      changed();
    },
  };
}
