import fc from 'fast-check';
import { Stopped } from '../../conformance/client/ask.ts';
import type { RunOptions } from '../../conformance/run/run.ts';
import { holdersOf, privatesOf, sparesOf } from '../../conformance/target/records.ts';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import type { Target } from '../../spec/files/target.ts';
import type { Difference } from '../alike.ts';
import { Roles } from '../roles.ts';
import { type Asked, Sequence } from './sequence.ts';
import { type OpenSide, openSide, type Side } from './side.ts';
import { isOddCaller, type Step, stepsOf } from './steps.ts';

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

/** A way in which the two differ, with the shortest sequence that shows it. */
export interface Way {
  readonly operation: Step['operation'];
  readonly difference: Difference;
  /** Replies that differ so. */
  seen: number;
  sequence: readonly Asked[];
}

export type Compared = Awaited<ReturnType<typeof compareDeployments>>;

/**
 * Sends the same random sequences of requests to two deployments, and says in which ways their replies differ. Each way is told once: when it
 * was found, it is set aside and the search goes on. Writes go through the journals, and each sequence takes off the labels that it put on.
 * @throws ConfigurationError when both are one deployment; PreflightError, UntrueTarget
 */
export async function compareDeployments(a: Side, b: Side, options: CompareOptions) {
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
  return {
    seed: options.seed,
    ...search.result(),
    /** Why it ended early; null where it did not. */
    stopped,
    /** What could not be undone. */
    left,
  };
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
    const anySequence = fc.oneof({ withCrossShrink: true }, ...groups.map((step) => fc.array(step, length)));
    const property = fc.asyncProperty(anySequence, async (all) => {
      if (this.#isOver) return;
      const sequence = new Sequence(this.#sides, this.#known());
      const asked: Asked[] = [];
      try {
        for (const step of all) {
          const one = await this.#ask(sequence, step);
          if (one !== null) asked.push(one);
          if (one !== null && this.#count(one, asked)) break;
        }
      } catch (error) {
        if (!(error instanceof Stopped)) throw error;
        this.#end(error.message);
      } finally {
        await sequence.end().catch(({ message }) => this.#end(String(message)));
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

  /** Asks again where a difference is new and may pass: a read may lag behind a write, and a 5xx now and then is documented. */
  async #ask(sequence: Sequence, step: Step): Promise<Asked | null> {
    const asked = await sequence.ask(step);
    if (asked === null) return null;
    const { a, b, found } = asked;
    const mayPass = a.method === 'GET' || [a, b].some(({ status }) => Number(status) >= 500);
    if (!mayPass || (found ?? []).every((difference) => this.#ways.has(nameOf(asked.step, difference)))) return asked;
    const [{ bench }, other] = this.#sides;
    await bench.sleep(Math.max(bench.deployment.settleMilliseconds, other.bench.deployment.settleMilliseconds));
    return (await sequence.ask(step)) ?? asked;
  }

  /** @returns whether what follows could only be a consequence */
  #count({ step, found }: Asked, sequence: readonly Asked[]): boolean {
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
    for (const labelsOf of [sparesOf, privatesOf])
      for (const [i, { id, name }] of labelsOf(tenant).entries()) {
        const same = labelsOf(other)[i];
        if (same === undefined) continue;
        roles.pair(id, same.id);
        if (name && same.name) roles.pair(name, same.name);
      }
  }
  return roles;
}
