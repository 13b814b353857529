import type { HookName } from '../../spec/files/hooks.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { Ask, Put } from '../client/ask.ts';
import type { Environment } from '../client/environment.ts';
import { askOf, type Request } from '../contract/request.ts';
import { lifetime, rounding } from '../contract/uploads.ts';
import { type Exchange, type Step, succeeded, type Trial } from '../history/exchange.ts';
import type { HookValue } from '../history/hook-call.ts';
import type { Exposures } from '../journal/exposures.ts';
import { maxPause } from '../numbers.ts';
import { type Deployment, keyNamed } from '../target/deployment.ts';
import { Gate } from './gate.ts';
import type { RecordUnderTest } from './record.ts';
import { isThere } from './there.ts';

/** The actions of a script. They expect no particular reply: a refusal, a 5xx and a lost reply are all evidence. */
export interface Scene extends Pick<Environment, 'now' | 'random'> {
  readonly deployment: Deployment;
  /**
   * Sends a request at the pace of its key. Repeats it after 429, 502, 503, 504 or a lost connection if that is safe. Each try is in
   * the history. A write of labels is journaled first, and undone at the end of the run.
   * @returns the last try
   * @throws Stopped when the run ends
   */
  send(ask: Ask): Promise<Exchange>;
  /**
   * Sends bytes to the upload URL in the reply to a start, without a key. Exchanges are redacted, so only the client knows the URL.
   * @returns the last try; null if the start gave no URL, or if its signature cannot be changed
   */
  put(start: Exchange, put: Put): Promise<Exchange | null>;
  /**
   * Runs a hook for the tenant under test. If the action can be undone, it is undone when the script ends.
   * @returns the parsed JSON output of the command
   * @throws Stopped if the command fails
   */
  hook(name: HookName, input: Readonly<Record<string, HookValue>>): Promise<unknown>;
  sleep(milliseconds: number): Promise<void>;
  /** A UUID that no record has. */
  newId(): string;
  /** True while the run is only planned, with invented replies. */
  readonly planning: boolean;
  /** Whether the run takes minutes anyway, so that it tries everywhere what others try in one place of several. */
  readonly slow: boolean;
  /** How often the labels of a record were written so far. */
  readonly exposures: Exposures;
  /** Settles when the script has ended, perhaps in the middle of what it did. */
  readonly over: Promise<null>;
  /** What all scripts of this run share. */
  readonly state: RunState;
}

/** What all scripts of a run share. */
export class RunState {
  readonly gate = new Gate();
  readonly records = new Map<string, Promise<RecordUnderTest | null>>();
  /** Reads that were served with small replies, once they were tried. */
  readonly light = new Map<'all', Promise<Set<OperationId> | null>>();
  readonly turns = new Map<string, number>();
  /** Requests by their last try, so that what surprised is sent again as it was. */
  readonly requests = new WeakMap<Exchange, Request>();
  /** By rule and way. */
  readonly trialsOf = new Map<string, number>();
  /** Operations that have succeeded, or answered as no router does. Where its address is only assumed, another may not be there. */
  readonly answering = new Set<OperationId>();
  /** Reads that were served, by `tenant/key` and operation. */
  readonly reads = new Map<string, Map<OperationId, Request>>();
  /** Milliseconds for which reads were seen to lag behind writes. */
  lag = 0;
  /** Milliseconds for which the API was seen not to know what the store has taken. */
  storeLag = 0;
  /** 429s by key since its last rest: each may have taken a token. */
  readonly throttled = new Map<string, number>();
  /** How often a run has waited as long as it may, for the store and to start an upload. */
  storeWaits = 0;
  startWaits = 0;
  trials = 0;
}

/** More than there are places or keys. */
const manyTurns = 1_000;

/** What an exchange is part of. */
export interface Tags {
  readonly step?: Step;
  readonly trial?: Trial | undefined;
}

/** Where scripts do their work: they send requests, wait, and have the deployment to themselves for an experiment. */
export class Bench {
  readonly scene: Scene;
  readonly #isAlone: boolean;

  constructor(scene: Scene, isAlone = false) {
    this.scene = scene;
    this.#isAlone = isAlone;
  }

  get state() {
    return this.scene.state;
  }
  get deployment() {
    return this.scene.deployment;
  }

  #gated<T>(send: () => Promise<T>): Promise<T> {
    return this.#isAlone ? send() : this.state.gate.shared(this.scene.over, send);
  }

  /** @returns the last try: a reply that asks to come back is asked for again where that is safe */
  async send(request: Request, tags: Tags = {}): Promise<Exchange> {
    const exchange = await this.#gated(() =>
      this.scene.send({ ...askOf(request), ...tags } as Parameters<Scene['send']>[0]),
    );
    this.state.requests.set(exchange, request);
    if (succeeded(exchange) && exchange.operation === request.operation) {
      this.state.answering.add(request.operation);
      const reads = this.state.reads.get(exchange.key ?? '') ?? new Map<OperationId, Request>();
      if (exchange.method === 'GET' && request.change === undefined)
        this.state.reads.set(exchange.key ?? '', reads.set(request.operation, request));
    }
    return exchange;
  }

  /** Sends requests at the same moment: each waits until all may be sent. */
  async together(requests: readonly Request[], tags: readonly Tags[] = []): Promise<Exchange[]> {
    let waiting = requests.length;
    const { promise, resolve } = Promise.withResolvers<void>();
    const barrier = () => {
      if (--waiting === 0) resolve();
      return promise;
    };
    const exchanges = await this.#gated(() =>
      Promise.all(
        requests.map((request, i) => this.scene.send({ ...askOf(request), barrier, ...(tags[i] as object) })),
      ),
    );
    for (const [i, exchange] of exchanges.entries()) this.state.requests.set(exchange, requests[i] as Request);
    return exchanges;
  }

  put(start: Exchange, put: Put): Promise<Exchange | null> {
    return this.#gated(() => {
      const { demand, ...plain } = put;
      // It may have waited for an experiment until the URL has expired.
      const expiresAt = start.sentAt + lifetime - this.deployment.clockSkewSeconds * 1000 - rounding;
      return this.scene.put(start, demand?.succeeds && this.scene.now() > expiresAt ? plain : put);
    });
  }

  /** Works while nothing else is sent, because an experiment must not meet the writes of other lanes. */
  exclusive<T>(work: (b: Bench) => Promise<T>): Promise<T> {
    const { scene, state } = this;
    return this.#isAlone ? work(this) : state.gate.exclusive(scene.over, () => work(new Bench(scene, true)));
  }

  /** What scripts share is made by the first that asks for it; where that one ends before, by the next. */
  async once<K, T>(made: Map<K, Promise<T | null>>, key: K, make: () => Promise<T>): Promise<T> {
    for (let making = made.get(key); making !== undefined; making = made.get(key)) {
      const known = await making;
      if (known !== null) return known;
      if (made.get(key) === making) made.delete(key);
    }
    const making = Promise.race([make(), this.scene.over]);
    made.set(key, making);
    return (await making) ?? new Promise(() => {});
  }

  /** Whether the operation can be judged. */
  has(operation: OperationId): boolean {
    return isThere(operation, this.deployment, this.state.answering);
  }

  /** Counts up for each purpose, from a random number: what is not asked everywhere is asked in another place each time, and in each run. */
  turn(purpose: string): number {
    const turn = this.state.turns.get(purpose) ?? Math.floor(this.scene.random() * manyTurns);
    this.state.turns.set(purpose, turn + 1);
    return turn;
  }

  /**
   * The part of these that is asked in this place, where all of them are asked in so many places.
   * @param keys that may ask: twice as many places, where all depends on one
   */
  share<T>(purpose: string, items: readonly T[], places: number, keys = 2): T[] {
    const turn = this.turn(purpose);
    return items.filter((_, i) => (i + turn) % (keys > 1 ? places : 2 * places) === 0);
  }

  /** In an order of its own for each run, so that what happens late or only at first meets every kind of request. */
  shuffled<T>(items: readonly T[]): T[] {
    const all = items.map((item) => ({ item, at: this.scene.random() }));
    return all.sort((a, b) => a.at - b.at).map(({ item }) => item);
  }

  sleep = (milliseconds: number): Promise<void> => this.scene.sleep(milliseconds);

  /** Until a random moment, and perhaps one request later: servers that take turns must not keep step with what is repeated. */
  async pause(): Promise<void> {
    await this.sleep(this.scene.random() * maxPause);
    // A key that was made may be revoked by now.
    const reads = [...this.state.reads].flatMap(([key, all]) =>
      keyNamed(this.deployment, key) === undefined ? [] : [...all.values()],
    );
    const read = reads[Math.floor(this.scene.random() * 2 * reads.length)];
    if (read !== undefined) await this.send(read);
  }
}
