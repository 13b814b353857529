import { attemptsIn, isFailure, type SentRequest, type Traffic } from '../traffic.ts';
import type { Duty } from './duty.ts';

/** The time between two attempts, where nothing but the client's own back-off decided on it. */
interface Pause {
  /** 0 after the first attempt. */
  readonly attempt: number;
  readonly milliseconds: number;
  readonly before: SentRequest;
  readonly after: SentRequest;
}

function pausesIn(traffic: Traffic): Pause[] {
  return attemptsIn(traffic).flatMap((attempts) =>
    attempts.slice(1).flatMap((after, attempt): Pause[] => {
      const before = attempts[attempt] as SentRequest;
      if (before.status !== 429 && before.status !== 503) return [];
      // What it was told to wait is not its own.
      if (before.headers['retry-after'] !== undefined) return [];
      return [{ attempt, milliseconds: after.sentAt - before.doneAt, before, after }];
    }),
  );
}

/** The number below which a share of them lies. */
const quantile = (share: number, numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * share)] ?? 0;
const median = (numbers: readonly number[]) => quantile(0.5, numbers);

/** Milliseconds that a client takes from a reply to its next request where it has no reason to wait. */
function usualGaps(all: readonly Traffic[]): readonly number[] {
  return all.flatMap(({ requests }) =>
    requests.slice(1).flatMap((request, index) => {
      const before = requests[index] as SentRequest;
      return isFailure(before) || request.sentAt < before.doneAt ? [] : [request.sentAt - before.doneAt];
    }),
  );
}

/** A random part of this share of a pause is the least that counts; a smaller one does little for the service. */
const leastJitter = 0.1;

/** Whose random part is the least is told to have none with no greater chance than this; who has more, with far less. */
const maxChance = 1e-3;

/** Natural logarithm of the number of ways to choose k of n. */
function logChoices(n: number, k: number): number {
  let sum = 0;
  for (let i = 1; i <= k; i++) sum += Math.log((n - k + i) / i);
  return sum;
}

/**
 * A bound for the chance, as a logarithm, that pauses which are spread evenly over `leastJitter` of their length stand as close
 * together as these. A busy machine makes pauses longer, some more than others, and so can only raise it. More than half of the
 * pauses must stand together, for a random part may be a whole number of seconds.
 */
function logChanceOfSame(lengths: readonly number[]): number {
  const sorted = lengths.toSorted((a, b) => a - b);
  const count = sorted.length;
  let least = 0;
  for (let size = Math.floor(count / 2) + 1; size <= count; size++) {
    if (size < 3) continue;
    for (let from = 0; from + size <= count; from++) {
      const [first = 0, last = 0] = [sorted[from], sorted[from + size - 1]];
      // Clocks tell milliseconds.
      const width = Math.max(1, last - first) / (leastJitter * first);
      if (width >= 1) continue;
      // Any of them may be the first, of the others so many follow within the width, and any size may be tried.
      const chance = 2 * Math.log(count) + logChoices(count - 1, size - 1) + (size - 1) * Math.log(width);
      least = Math.min(least, chance);
    }
  }
  return least;
}

/** Whether pauses differ by no more than the machine makes other steps of the client differ. */
const differLikeGaps = (lengths: readonly number[], gaps: readonly number[]) =>
  quantile(0.9, lengths) - Math.min(...lengths) <= 10 + Math.max(...gaps) - Math.min(...gaps);

/** What is wrong with pauses as a whole; undefined where nothing is, or where there are too few to tell. */
function wrongWith(
  pauses: readonly Pause[],
  gaps: readonly number[],
): { readonly expected: string; readonly observed: string } | undefined {
  const lengths = pauses.map(({ milliseconds }) => milliseconds);
  const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
  const range = `${Math.round(least)} to ${Math.round(most)} ms`;
  // On a machine that is busy everything takes longer: who has not waited sends as soon as where it has nothing else to do.
  const noPause = Math.max(30, Math.min(100, 1.5 * quantile(0.25, gaps) + 10));
  if (pauses.length >= 3 && median(lengths) < noPause) return { expected: 'pauses', observed: `pauses of ${range}` };
  const again = pauses.some(({ attempt }) => attempt > 0);
  // Load makes some of them longer, so the longest do not count.
  if (pauses.length >= 4 && again && quantile(0.75, lengths) < least * 1.5) {
    return { expected: 'pauses that grow', observed: `always about the same, ${range}` };
  }
  const byAttempt = [...Map.groupBy(pauses, ({ attempt }) => attempt).values()].map((those) =>
    those.map(({ milliseconds }) => milliseconds),
  );
  const chance = byAttempt.reduce((sum, those) => sum + logChanceOfSame(those), 0);
  if (chance < Math.log(maxChance) && byAttempt.every((those) => differLikeGaps(those, gaps))) {
    const shown = byAttempt.map((those) => `${Math.round(median(those))} ms`).join(', ');
    return { expected: 'pauses with a random part', observed: `the same pauses each time: ${shown}` };
  }
  return undefined;
}

export const backsOff: Duty = {
  rule: 'service/clients-back-off',
  title: 'pauses after 429 and 503 grow, and are not the same each time',
  advice: 'Wait base * 2^attempt, and some random share of it, between attempts; clients in step come back together.',
  judge(all) {
    const pauses = all.flatMap(pausesIn);
    const wrong = wrongWith(pauses, usualGaps(all));
    const shown = pauses.find(({ attempt }) => attempt > 0) ?? pauses[0];
    if (wrong === undefined || shown === undefined) return { applied: pauses.length, breaches: [] };
    return { applied: pauses.length, breaches: [{ exchange: shown.after, ...wrong, with: [shown.before] }] };
  },
};
