import { type ClockOffset, clockOffset } from './clock-offset.ts';
import { count, createRawRun, noRequests, type RawKey, type RawRun, type RawSample, type Tally } from './raw-run.ts';

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
  const drivers = new Map<string, number>();
  for (const label of runs.flatMap(({ keys }) => [...keys.keys()])) drivers.set(label, (drivers.get(label) ?? 0) + 1);
  const joined = createRawRun();
  for (const [index, run] of runs.entries()) {
    const clock = clocks[index] ?? { aheadMs: 0, withinMs: unboundedMs };
    joined.files.push(...run.files);
    for (const file of run.files) joined.clocks.set(file, clock);
    for (const scenario of run.scenarios) joined.scenarios.add(scenario);
    joined.seconds = Math.max(joined.seconds, run.seconds);
    for (const key of run.keys.values()) addKey(joined, key, clock, drivers.get(key.label) !== 1);
    for (const [rule, { checked, broken, seen }] of run.rules) {
      const joinedRule = joined.rules.get(rule) ?? { checked: 0, broken: 0, seen: new Map() };
      joined.rules.set(rule, joinedRule);
      joinedRule.checked += checked;
      joinedRule.broken += broken;
      addTally(joinedRule.seen, seen);
    }
    addTally(joined.undecided, run.undecided);
    joined.dropped += run.dropped;
    joined.latest = Math.max(joined.latest, run.latest);
    for (const { from, to } of run.failures)
      joined.failures.push({ from: from - clock.aheadMs - clock.withinMs, to: to - clock.aheadMs + clock.withinMs });
    for (const duration of run.durations) joined.durations.push(duration);
    for (const [second, bin] of run.bins) {
      const moved = Math.round(second - clock.aheadMs / 1000);
      const joinedBin = joined.bins.get(moved) ?? { ...noRequests };
      joined.bins.set(moved, joinedBin);
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

function addKey(joined: RawRun, key: RawKey, { aheadMs, withinMs }: ClockOffset, shared: boolean): void {
  const joinedKey = joined.keys.get(key.label) ?? {
    ...key,
    samples: [],
    malformed: new Map<string, Tally>(),
    doubtful: new Map<string, Tally>(),
    retries: new Map<string, string>(),
    sources: new Set<string>(),
    started: 0,
    ended: 0,
    withinMs: shared ? 0 : withinMs,
  };
  joined.keys.set(key.label, joinedKey);
  const moved = key.samples.map(
    (sample): RawSample => ({ ...sample, sentAt: sample.sentAt - aheadMs, doneAt: sample.doneAt - aheadMs }),
  );
  for (const sample of shared ? widened(moved, withinMs) : moved) joinedKey.samples.push(sample);
  for (const part of ['malformed', 'doubtful'] as const) {
    for (const [rule, tally] of key[part]) {
      const all = joinedKey[part].get(rule) ?? new Map<string, number>();
      joinedKey[part].set(rule, all);
      addTally(all, tally);
    }
  }
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
