/** Lets requests through side by side, or one experiment alone. What a script has under way when it is over, nobody waits for. */
export class Gate {
  /** The last experiment that has the deployment, or waits for it. */
  #last: Promise<void> | null = null;
  readonly #underWay = new Set<Promise<unknown>>();

  /** Waits while an experiment has the deployment to itself. */
  async shared<T>(over: Promise<unknown>, send: () => Promise<T>): Promise<T> {
    while (this.#last !== null) await this.#last;
    const sending = send();
    const ended = Promise.race([sending, over]).catch(() => undefined);
    this.#underWay.add(ended);
    void ended.finally(() => this.#underWay.delete(ended));
    return sending;
  }

  /** Waits until nothing is under way, and keeps everything else back until it ends. Experiments wait for each other. */
  async exclusive<T>(over: Promise<unknown>, work: () => Promise<T>): Promise<T> {
    const before = this.#last;
    const { promise: turn, resolve: end } = Promise.withResolvers<void>();
    this.#last = turn;
    try {
      await before;
      await Promise.all(this.#underWay);
      const working = work();
      await Promise.race([working, over]);
      return working;
    } finally {
      if (this.#last === turn) this.#last = null;
      end();
    }
  }
}
