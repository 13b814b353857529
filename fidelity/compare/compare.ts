import fc from 'fast-check';
import { Stopped } from '../../conformance/client/ask.ts';
import { type Exchange, objectIn, succeeded } from '../../conformance/history/exchange.ts';
import type { RunOptions } from '../../conformance/run/run.ts';
import { labelOperations, labelWriteOf } from '../../conformance/target/holder.ts';
import { holdersOf, privatesOf, sparesOf } from '../../conformance/target/records.ts';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import type { Target } from '../../spec/files/target.ts';
import { type Difference, differences, Roles } from '../alike.ts';
import { type OpenSide, openSide, type Side } from './side.ts';
import { askFor, isOddCaller, type Step, stepsOf } from './steps.ts';

export interface CompareOptions extends Pick<RunOptions, 'signal' | 'maxDuration' | 'timeout' | 'onWait'> {
  readonly kit: string;
  readonly seed: number;
  readonly sequences: number;
  /** The longest sequence. */
  readonly steps: number;
  readonly readOnly?: boolean;
  /** Also registers files, which the API cannot delete. */
  readonly allowLeftovers?: boolean;
  /** Looks for the shortest sequence that shows a difference: true by default. Else it only counts. */
  readonly shrink?: boolean;
  readonly onProgress?: (sequences: number, found: number) => void;
}

/** A step with both replies. */
export interface Asked {
  readonly step: Step;
  readonly a: Exchange;
  readonly b: Exchange;
}

/** A way in which the two differ, with the shortest sequence that shows it. */
export interface Way {
  readonly operation: Step['operation'];
  readonly difference: Difference;
  /** Replies that differ so. */
  seen: number;
  sequence: readonly Asked[];
}

export interface Compared {
  readonly seed: number;
  readonly sequences: number;
  readonly replies: { readonly alike: number; readonly differ: number; readonly untold: number };
  readonly ways: readonly Way[];
  /** Why it ended early; null where it did not. */
  readonly stopped: string | null;
  /** What could not be undone. */
  readonly left: readonly string[];
}

/**
 * Sends the same random sequences of requests to two deployments, and says in which ways their replies differ. Each way is told once: when it
 * was found, it is set aside and the search goes on. Writes go through the journals, and each sequence takes off the labels that it put on.
 * @throws ConfigurationError when both are one deployment; PreflightError, UntrueTarget
 */
export async function compareDeployments(a: Side, b: Side, options: CompareOptions): Promise<Compared> {
  if (a.target.baseUrl === b.target.baseUrl)
    throw new ConfigurationError([
      `${a.target.baseUrl}: A and B are the same deployment, whose labels both would write`,
    ]);
  const run = { ...options, readOnly: options.readOnly ?? false };
  const first = await openSide(a, run);
  const sides = [
    first,
    await openSide(b, run).catch((error) => first.close().then(() => Promise.reject(error))),
  ] as const;
  const search = new Search(sides, [a.target, b.target], options);
  let stopped: string | null = null;
  try {
    stopped = await search.run();
  } finally {
    await Promise.all(sides.map((side) => side.close()));
  }
  const left = (await Promise.all(sides.map((side) => side.close()))).flatMap((history) => history.left);
  return { seed: options.seed, ...search.result(), stopped, left };
}

/** Thrown inside a sequence that shows a way that is not set aside. */
class Differs extends Error {}

class Search {
  readonly #sides: readonly [OpenSide, OpenSide];
  readonly #known: () => Roles;
  readonly #options: CompareOptions;
  readonly #ways = new Map<string, Way>();
  readonly #replies = { alike: 0, differ: 0, untold: 0 };
  #sequences = 0;
  #stopped: string | null = null;
  /** It was stopped, or its time is over. */
  #isOver = false;
  /** Set while the sequence that shows a new way is made shorter: what is sent then is not counted. */
  #shrinking: { way?: [string, Way] } | null = null;

  constructor(sides: readonly [OpenSide, OpenSide], targets: readonly [Target, Target], options: CompareOptions) {
    this.#sides = sides;
    this.#options = options;
    this.#known = () => rolesOf(...targets);
  }

  result() {
    return { sequences: this.#sequences, replies: this.#replies, ways: [...this.#ways.values()] };
  }

  /** @returns why it ended early */
  async run(): Promise<string | null> {
    const { seed, sequences, steps, readOnly = false, allowLeftovers = false } = this.#options;
    const [a, b] = this.#sides;
    const length = { minLength: this.#options.shrink === false ? steps : 1, maxLength: steps, size: 'max' } as const;
    const groups = stepsOf([a.bench, b.bench], { readOnly, allowLeftovers });
    const sequence = fc.oneof({ withCrossShrink: true }, ...groups.map((step) => fc.array(step, length)));
    const property = fc.asyncProperty(sequence, async (all) => {
      if (this.#isOver) return;
      const sent = new Sequence(this.#sides, this.#known(), this);
      try {
        for (const step of all) await sent.send(step);
      } catch (error) {
        if (error instanceof Differs) throw error;
        if (!(error instanceof Stopped)) throw error;
        this.#end(error.message);
      } finally {
        await sent.end().catch(({ message }) => this.#end(String(message)));
        if (this.#shrinking === null) this.#sequences++;
        this.#options.onProgress?.(this.#sequences, this.#ways.size);
      }
    });
    for (let round = 0; this.#sequences < sequences && !this.#isOver; round++) {
      this.#shrinking = null;
      const { failed, errorInstance } = await fc.check(property, {
        seed: seed + round,
        numRuns: sequences - this.#sequences,
        endOnFailure: this.#options.shrink === false,
      });
      if (!failed) break;
      if (!(errorInstance instanceof Differs)) throw errorInstance;
      const [name, way] = (this.#shrinking as { way?: [string, Way] } | null)?.way ?? [];
      if (name !== undefined && way !== undefined) this.#ways.set(name, way);
    }
    return this.#stopped;
  }

  #end(why: string): void {
    this.#isOver = true;
    // Who gives a time wants no more than fits in.
    const isTimeUp = this.#options.maxDuration !== undefined && !this.#options.signal?.aborted && why === 'interrupted';
    if (!isTimeUp) this.#stopped ??= why;
  }

  isNew(step: Step, found: readonly Difference[]): boolean {
    return found.some((difference) => !this.#ways.has(nameOf(step, difference)));
  }

  /**
   * @param found null where the replies cannot be compared
   * @returns whether what follows could only be a consequence
   */
  saw(found: readonly Difference[] | null, sequence: readonly Asked[]): boolean {
    const { step } = sequence.at(-1) as Asked;
    const counts = this.#shrinking === null;
    if (counts) this.#replies[found === null ? 'untold' : found.length === 0 ? 'alike' : 'differ']++;
    for (const difference of found ?? []) {
      const name = nameOf(step, difference);
      const way = this.#ways.get(name);
      if (way !== undefined) {
        if (counts) way.seen++;
        continue;
      }
      const made: Way = { operation: step.operation, difference, seen: 1, sequence: [...sequence] };
      if (this.#options.shrink === false) this.#ways.set(name, made);
      else {
        this.#shrinking = { way: [name, made] };
        throw new Differs(name);
      }
    }
    return (found ?? []).some(({ what }) => what === 'status') && isWrite(step);
  }
}

/** What somebody without a key is answered is the same for each operation. */
const nameOf = (step: Step, difference: Difference): string =>
  JSON.stringify([isOddCaller(step) ? 'any' : step.operation, difference]);

const isWrite = ({ operation }: Step) => operation !== 'storage' && !/^(get|list)/.test(operation);

/** One sequence on both sides. */
class Sequence {
  readonly #sides: readonly [OpenSide, OpenSide];
  readonly #roles: Roles;
  readonly #search: Search;
  readonly #asked: Asked[] = [];
  readonly #uploads: (Exchange | undefined)[] = [undefined, undefined];
  /** By side: what takes off the labels that were put on. */
  readonly #undo = [new Map<string, Exchange>(), new Map<string, Exchange>()] as const;
  /** The record of the upload that was started last. */
  #startedOn = '';
  #isOver = false;

  constructor(sides: readonly [OpenSide, OpenSide], roles: Roles, search: Search) {
    this.#sides = sides;
    this.#roles = roles;
    this.#search = search;
  }

  async send(made: Step): Promise<void> {
    if (this.#isOver) return;
    const step = made.file === 'started' ? { ...made, record: this.#startedOn } : made;
    const both = await this.#ask(step);
    if (both === null) return;
    let [a, b] = both;
    let found = compared(a, b, this.#roles);
    // A read may lag behind a write, and a 5xx now and then is documented.
    const mayPass = a.method === 'GET' || [a, b].some(({ status }) => Number(status) >= 500);
    if (mayPass && this.#search.isNew(step, found ?? [])) {
      const [{ bench }, other] = this.#sides;
      await bench.sleep(Math.max(bench.deployment.settleMilliseconds, other.bench.deployment.settleMilliseconds));
      [a, b] = (await this.#ask(step)) ?? both;
      found = compared(a, b, this.#roles);
    }
    if (step.operation === 'startSiteFileUpload' && this.#uploads.every(Boolean)) this.#startedOn = step.record;
    this.#asked.push({ step, a, b });
    this.#isOver = this.#search.saw(found, this.#asked);
  }

  /** Takes off the labels that are on. */
  async end(): Promise<void> {
    await Promise.all(
      this.#sides.map(async ({ bench, during }, i) => {
        for (const { params, operation } of this.#undo[i]?.values() ?? []) {
          const write = labelWriteOf(operation, params);
          if (write !== null)
            await during(bench.scene.send({ operation: labelOperations[write.holder.kind].remove, params }));
        }
      }),
    );
  }

  async #ask(step: Step): Promise<[Exchange, Exchange] | null> {
    const sends = this.#sides.map(({ bench, during }, i) => {
      const started = this.#uploads[i];
      if (step.operation === 'storage') {
        const contentType = step.change === 'none' ? bench.deployment.uploadContentType : 'x-partnerkit/other';
        const put = { contentType, bytes: new TextEncoder().encode('hello') };
        return started && (() => during(bench.scene.put(started, put)));
      }
      const { fileKey } = started ? objectIn(started) : {};
      const ask = askFor(bench, step, typeof fileKey === 'string' ? fileKey : undefined);
      return ask === null ? undefined : () => during(bench.scene.send(ask));
    });
    if (!sends.every((send) => send !== undefined)) return null;
    const [a, b] = await Promise.all(sends.map((send) => send()));
    if (!a || !b) return null;
    for (const [i, exchange] of [a, b].entries()) this.#learn(exchange, i);
    return [a, b];
  }

  #learn(exchange: Exchange, i: number): void {
    if (!succeeded(exchange)) return;
    const { operation, params } = exchange;
    if (operation === 'startSiteFileUpload') this.#uploads[i] = exchange;
    const write = labelWriteOf(operation, params);
    if (write === null) return;
    const name = JSON.stringify([write.holder, write.label]);
    if (write.act === 'apply') this.#undo[i]?.set(name, exchange);
    else this.#undo[i]?.delete(name);
  }
}

/** Null where one of them did not answer, or asked to come back later. */
function compared(a: Exchange, b: Exchange, roles: Roles): Difference[] | null {
  if (a.status === null || b.status === null || a.status === 429 || b.status === 429) return null;
  const reply = ({ status, headers, body, doneAt }: Exchange) => ({ status: status ?? 0, headers, body, at: doneAt });
  return differences(reply(a), reply(b), roles);
}

/** Which ids and names of the one stand for which of the other, by their target files. */
function rolesOf(a: Target, b: Target): Roles {
  const roles = new Roles();
  for (const [t, tenant] of a.tenants.entries()) {
    const other = b.tenants[t];
    if (other === undefined) continue;
    for (const { slug, holder } of holdersOf(tenant)) {
      const same = holdersOf(other).find((one) => one.slug === slug);
      const idsOf = ({ kind: _, ...ids }: typeof holder) => Object.values(ids);
      for (const [i, id] of idsOf(holder).entries()) roles.pair(id, idsOf(same?.holder ?? holder)[i] ?? id);
    }
    for (const of of [sparesOf, privatesOf])
      for (const [i, { id, name }] of of(tenant).entries()) {
        const same = of(other)[i];
        if (same === undefined) continue;
        roles.pair(id, same.id);
        if (name && same.name) roles.pair(name, same.name);
      }
  }
  return roles;
}
