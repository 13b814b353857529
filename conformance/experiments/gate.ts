interface Turn {
  readonly owner: object;
  readonly end: () => void;
  readonly ended: Promise<void>;
}

/** Lets requests through side by side, or one experiment alone. An owner is a script: what it has under way ends with it. */
export class Gate {
  /** The experiment that has the deployment, and those that wait for it. */
  readonly #turns: Turn[] = [];
  readonly #underWay = new Map<object, number>();
  /** What an owner that has ended still asks for is never done, or others would wait for it. */
  readonly #gone = new WeakSet<object>();
  #wake = Promise.withResolvers<void>();

  /** Waits while an experiment has the deployment to itself. */
  async shared<T>(owner: object, send: () => Promise<T>): Promise<T> {
    while (this.#turns.length > 0) await this.#turns[0]?.ended;
    if (this.#gone.has(owner)) return new Promise(() => {});
    this.#count(owner, 1);
    try {
      return await send();
    } finally {
      if (this.#underWay.has(owner)) this.#count(owner, -1);
    }
  }

  /** Waits until nothing is under way, and keeps everything else back until it ends. Experiments wait for each other. */
  async exclusive<T>(owner: object, work: () => Promise<T>): Promise<T> {
    if (this.#gone.has(owner)) return new Promise(() => {});
    const { promise, resolve } = Promise.withResolvers<void>();
    const turn: Turn = { owner, end: resolve, ended: promise };
    this.#turns.push(turn);
    while (this.#turns[0] !== turn || this.#underWay.size > 0) await this.#wake.promise;
    try {
      return await work();
    } finally {
      this.#finish(turn);
    }
  }

  /** The owner has ended, perhaps in the middle of what it did, so nothing waits for it any more. */
  leave(owner: object): void {
    this.#gone.add(owner);
    this.#underWay.delete(owner);
    for (const turn of this.#turns.filter((one) => one.owner === owner)) this.#finish(turn);
    this.#changed();
  }

  #changed() {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  #count(owner: object, by: number) {
    const left = (this.#underWay.get(owner) ?? 0) + by;
    if (left > 0) this.#underWay.set(owner, left);
    else this.#underWay.delete(owner);
    this.#changed();
  }

  #finish(turn: Turn) {
    const place = this.#turns.indexOf(turn);
    if (place >= 0) this.#turns.splice(place, 1);
    turn.end();
    this.#changed();
  }
}
