import fc from 'fast-check';
import { Stopped } from '../../conformance/client/ask.ts';
import type { RunOptions } from '../../conformance/run/run.ts';
import { holdersOf, privatesOf, sparesOf } from '../../conformance/target/records.ts';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import type { Target } from '../../spec/files/target.ts';
import type { Difference } from '../alike.ts';
import { Roles } from '../roles.ts';
import { type OpenSide, openSide, type Side } from '../side.ts';
import { type Asked, beginSequence, type Sequence } from './sequence.ts';
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
  const second = await openSide(b, run).catch((error) => first.close().then(() => Promise.reject(error)));
  const close = () => Promise.all([first, second].map((side) => side.close()));
  const found = await search([first, second], () => rolesOf(a.target, b.target), options).finally(close);
  /** What could not be undone. */
  const left = (await close()).flatMap((history) => history.left);
  return { seed: options.seed, ...found, left };
}

/** Thrown inside a sequence that shows a way that is not set aside. */
class Differs extends Error {}

async function search(sides: readonly [OpenSide, OpenSide], known: () => Roles, options: CompareOptions) {
  const { seed, sequences, steps, shrink = true, readOnly = false, allowLeftovers = false } = options;
  const benches = [sides[0].bench, sides[1].bench] as const;
  const ways = new Map<string, Way>();
  const replies = { alike: 0, differ: 0, untold: 0 };
  let done = 0;
  /** Why it ended early; null where it did not. */
  let stopped: string | null = null;
  let isOver = false;
  /** A new way, while its sequence is made shorter: the last one is the shortest. What is sent then is not counted. */
  const shrinking: [name: string, way: Way][] = [];

  const end = (why: string) => {
    isOver = true;
    // Who gives a time wants no more than fits in.
    const isTimeUp = options.maxDuration !== undefined && !options.signal?.aborted && why === 'interrupted';
    if (!isTimeUp) stopped ??= why;
  };

  /** Asks again where a difference is new and may pass: a read may lag behind a write, and a 5xx now and then is documented. */
  const ask = async (sequence: Sequence, step: Step) => {
    const asked = await sequence.ask(step);
    if (asked === null) return null;
    const { a, b, found } = asked;
    const mayPass = a.method === 'GET' || [a, b].some(({ status }) => Number(status) >= 500);
    if (!mayPass || (found ?? []).every((difference) => ways.has(nameOf(asked.step, difference)))) return asked;
    await benches[0].sleep(Math.max(...benches.map(({ deployment }) => deployment.settleMilliseconds)));
    return (await sequence.ask(step)) ?? asked;
  };

  /** @returns whether what follows could only be a consequence */
  const count = ({ step, found }: Asked, sequence: readonly Asked[]): boolean => {
    const counts = shrinking.length === 0;
    if (counts) replies[found === null ? 'untold' : found.length === 0 ? 'alike' : 'differ']++;
    for (const difference of found ?? []) {
      const name = nameOf(step, difference);
      const way = ways.get(name) ?? { operation: step.operation, difference, seen: 0, sequence: [...sequence] };
      if (shrink && !ways.has(name)) {
        shrinking.push([name, { ...way, seen: 1 }]);
        throw new Differs(name);
      }
      ways.set(name, way);
      if (counts) way.seen++;
    }
    return (found ?? []).some(({ what }) => what === 'status') && isWrite(step);
  };

  const length = { minLength: shrink ? 1 : steps, maxLength: steps, size: 'max' } as const;
  const groups = stepsOf(benches, { readOnly, allowLeftovers });
  const anySequence = fc.oneof({ withCrossShrink: true }, ...groups.map((step) => fc.array(step, length)));
  const property = fc.asyncProperty(anySequence, async (all) => {
    if (isOver) return;
    const sequence = beginSequence(sides, known());
    const shown: Asked[] = [];
    try {
      for (const step of all) {
        const asked = await ask(sequence, step);
        if (asked !== null) shown.push(asked);
        if (asked !== null && count(asked, shown)) break;
      }
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      end(error.message);
    } finally {
      await sequence.end().catch(({ message }) => end(String(message)));
      if (shrinking.length === 0) done++;
      options.onProgress?.(done, ways.size);
    }
  });
  for (let round = 0; done < sequences && !isOver; round++) {
    shrinking.length = 0;
    const numRuns = sequences - done;
    const { failed, errorInstance } = await fc.check(property, { seed: seed + round, numRuns, endOnFailure: !shrink });
    if (!failed) break;
    if (!(errorInstance instanceof Differs)) throw errorInstance;
    for (const [name, way] of shrinking.slice(-1)) ways.set(name, way);
  }
  return { sequences: done, wanted: sequences, replies, ways: [...ways.values()], stopped };
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
