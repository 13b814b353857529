import { type ClockOffset, clockOffset } from './clock-offset.ts';
import {
  count,
  createRawKey,
  createRawRun,
  entryOf,
  noRequests,
  type RawKey,
  type RawRun,
  type Tally,
  tallyOf,
} from './raw-run.ts';

/** Milliseconds that a clock may be wrong by where nothing bounds it. */
const unboundedMs = 2000;

/**
 * The runs of several machines as one, by the server's clock. A key that one machine drove keeps its sharp times, moved all alike;
 * what several machines did with one key is known less well, and so its intervals are wider.
 * @param skewMs how far each clock may be from one common clock; default: what the server's dates say, or 2 s where there are none
 */
export function joinRuns(runs: readonly RawRun[], skewMs?: number): RawRun {
  const [only, ...others] = runs;
  if (only !== undefined && others.length === 0) return only;
  const clocks = offsets(runs, skewMs);
  const drivers = Map.groupBy(
    runs.flatMap(({ keys }) => [...keys.keys()]),
    (label) => label,
  );
  const joined = createRawRun();
  for (const [index, run] of runs.entries()) {
    const clock = clocks[index] ?? { aheadMs: 0, withinMs: unboundedMs };
    joined.files.push(...run.files);
    for (const file of run.files) joined.clocks.set(file, clock);
    for (const scenario of run.scenarios) joined.scenarios.add(scenario);
    for (const key of run.keys.values()) addKey(joined, key, clock, drivers.get(key.label)?.length !== 1);
    for (const [rule, { checked, broken, seen }] of run.rules) {
      const tally = tallyOf(joined, rule);
      tally.checked += checked;
      tally.broken += broken;
      addTally(tally.seen, seen);
    }
    addTally(joined.undecided, run.undecided);
    joined.stopped.push(...run.stopped);
    joined.dropped += run.dropped;
    for (const { from, to } of run.failures)
      joined.failures.push({ from: from - clock.aheadMs - clock.withinMs, to: to - clock.aheadMs + clock.withinMs });
    for (const duration of run.durations) joined.durations.push(duration);
    for (const [second, bin] of run.bins) {
      const joinedBin = entryOf(joined.bins, Math.round(second - clock.aheadMs / 1000), () => ({ ...noRequests }));
      for (const admission of Object.keys(bin) as (keyof typeof bin)[]) joinedBin[admission] += bin[admission];
    }
    joined.requests += run.requests;
  }
  return joined;
}

/** Against one common clock: the server's, where all runs have its dates. */
function offsets(runs: readonly RawRun[], skewMs: number | undefined): readonly ClockOffset[] {
  const measured = runs.map(({ dates }) => clockOffset(dates)).filter((clock) => clock !== undefined);
  if (skewMs === undefined && measured.length === runs.length) return measured;
  return runs.map(() => ({ aheadMs: 0, withinMs: skewMs ?? unboundedMs }));
}

function addKey(joined: RawRun, key: RawKey, { aheadMs, withinMs }: ClockOffset, isShared: boolean): void {
  const { label, limit, position, judging } = key;
  const joinedKey = entryOf(joined.keys, label, () => ({
    ...createRawKey(label),
    limit,
    position,
    judging,
    withinMs: isShared ? 0 : withinMs,
  }));
  const moved = key.samples.map((one) => ({ ...one, sentAt: one.sentAt - aheadMs, doneAt: one.doneAt - aheadMs }));
  for (const sample of isShared ? widened(moved, withinMs) : moved) joinedKey.samples.push(sample);
  for (const [rule, tally] of key.malformed)
    addTally(
      entryOf(joinedKey.malformed, rule, () => new Map()),
      tally,
    );
  for (const [trial, text] of key.retries) joinedKey.retries.set(trial, text);
  for (const source of key.sources) joinedKey.sources.add(source);
  joinedKey.started += key.started;
  joinedKey.ended += key.ended;
}

/** The same requests by a clock that is known to `withinMs` only. */
export const widened = <S extends { readonly sentAt: number; readonly doneAt: number }>(
  samples: readonly S[],
  withinMs: number,
): readonly S[] =>
  withinMs === 0
    ? samples
    : samples.map((sample) => ({ ...sample, sentAt: sample.sentAt - withinMs, doneAt: sample.doneAt + withinMs }));

function addTally(all: Tally, more: Tally): void {
  for (const [text, times] of more) count(all, text, times);
}
