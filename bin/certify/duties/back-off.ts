import { attemptsIn, isFailure, type SentRequest, type Traffic } from '../traffic.ts';
import type { Duty, Wrong } from './duty.ts';

/** The times between two attempts that only the client's own backoff decided. `attempt` is 0 for the pause after the first attempt. */
const pausesIn = (traffic: Traffic) =>
  attemptsIn(traffic.requests).flatMap((attempts) =>
    attempts.slice(1).flatMap((after, attempt) => {
      const before = attempts[attempt] as SentRequest;
      if (before.status !== 429 && before.status !== 503) return [];
      // Retry-After decided this pause, not the client.
      if (before.headers['retry-after'] !== undefined) return [];
      return [{ attempt, milliseconds: after.sentAt - before.doneAt, before, after }];
    }),
  );

type Pause = ReturnType<typeof pausesIn>[number];

/** The number below which this share of the numbers lies. */
const quantile = (share: number, numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * share)] ?? 0;
const median = (numbers: readonly number[]) => quantile(0.5, numbers);

/** Milliseconds from a reply to the next request where the client has no reason to wait. */
function usualGaps(all: readonly Traffic[]): readonly number[] {
  return all.flatMap(({ requests }) =>
    requests.slice(1).flatMap((request, index) => {
      const before = requests[index] as SentRequest;
      return isFailure(before) || request.sentAt < before.doneAt ? [] : [request.sentAt - before.doneAt];
    }),
  );
}

/** Jitter counts from this share of a pause; less does little for the service. */
const minJitter = 0.1;

/** Fewer pauses may be alike by chance. */
const minPauses = 8;

/**
 * Whether two thirds of the pauses lie close together: the others may be longer because the machine is busy. Of clients with `minJitter` three in a
 * thousand look like that; of clients with more, far fewer.
 */
function isSteady(lengths: readonly number[]): boolean {
  const [sorted, count] = [lengths.toSorted((a, b) => a - b), lengths.length];
  const [shortest = 0, last = 0] = [sorted[0], sorted[Math.ceil((count * 2) / 3) - 1]];
  // Clocks have a resolution of one millisecond.
  return last - shortest <= Math.max(1, minJitter * Math.min(0.3, count / 64) * shortest);
}

/** Whether pauses vary no more than the client's ordinary gaps, whose variation is due to the machine. */
const varyLikeGaps = (lengths: readonly number[], gaps: readonly number[]) =>
  quantile(0.9, lengths) - Math.min(...lengths) <= 10 + Math.max(...gaps) - Math.min(...gaps);

/** What is wrong with the pauses as a whole, why that cannot be told, or null. @param late milliseconds by which timers were late on this machine */
function shownBy(
  pauses: readonly Pause[],
  gaps: readonly number[],
  late: number,
): Wrong | 'too few' | 'too noisy' | null {
  const lengths = pauses.map(({ milliseconds }) => milliseconds);
  const shortest = Math.min(...lengths);
  const range = `${Math.round(shortest)} to ${Math.round(Math.max(...lengths))} ms`;
  // On a busy machine every step takes longer, so a client that does not wait is recognised by its ordinary gaps.
  const minPause = Math.max(30, Math.min(100, 1.5 * quantile(0.25, gaps) + 10));
  if (pauses.length >= 3 && median(lengths) < minPause)
    return [`pauses of ${Math.round(minPause)} ms and more`, `pauses of ${range}`];
  const again = pauses.some(({ attempt }) => attempt > 0);
  // The longest pauses do not count, because load on the machine may have lengthened them.
  if (pauses.length >= 4 && again && quantile(0.75, lengths) < shortest * 1.5) {
    // What is added to every pause hides that they grow.
    return late > shortest / 4 ? 'too noisy' : ['pauses that grow', `always about the same, ${range}`];
  }
  const byAttempt = [...Map.groupBy(pauses, ({ attempt }) => attempt).values()].map((group) =>
    group.map(({ milliseconds }) => milliseconds),
  );
  const many = byAttempt.filter(({ length }) => length >= minPauses);
  if (many.some(isSteady) && byAttempt.every((group) => varyLikeGaps(group, gaps))) {
    const shown = byAttempt.map((group) => `${Math.round(median(group))} ms`).join(', ');
    return ['pauses with a random part', `the same pauses each time: ${shown}`];
  }
  const isRandom = (group: readonly number[]) =>
    group.length >= 3 && quantile(0.9, group) - Math.min(...group) > 10 + 2 * late + (minJitter / 2) * median(group);
  if (again && byAttempt.some(isRandom)) return null;
  return many.length > 0 ? 'too noisy' : 'too few';
}

export const backsOff: Duty = {
  rule: 'service/clients-back-off',
  advice:
    'Wait base * 2^attempt plus a random share of that between attempts. Without jitter, clients retry all at once.',
  needs: 'try again, several times, after replies without Retry-After',
  under: ['unavailable'],
  alone: true,
  cases(runs) {
    const measured = runs.filter((run) => pausesIn(run).length > 0);
    const pauses = measured.flatMap(pausesIn);
    const one = pauses.find(({ attempt }) => attempt > 0) ?? pauses[0];
    const shown = shownBy(pauses, usualGaps(runs), median(measured.map(({ late }) => late)));
    if (one === undefined || shown === 'too few') return [];
    if (shown === 'too noisy')
      return ['the machine is too busy to measure pauses: try again on an idle one, with --jobs 1'];
    return [shown && [one.after, ...shown, one.before]];
  },
};
