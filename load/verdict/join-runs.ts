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

/** How far the clock of a machine may be from that of another, in ms: more than any that is set by NTP. */
const defaultSkewMs = 2000;

/**
 * The runs of several machines as one. A key that one machine drove keeps its sharp times; what several machines did with one key is
 * known less well, and so its intervals are wider.
 * @param skewMs how far each clock may be from one common clock
 */
export function joinRuns(runs: readonly RawRun[], skewMs = defaultSkewMs): RawRun {
  const [only, ...others] = runs;
  if (only !== undefined && others.length === 0) return only;
  const labels = runs.flatMap(({ keys }) => [...keys.keys()]);
  const joined = createRawRun();
  for (const run of runs) {
    joined.files.push(...run.files);
    for (const scenario of run.scenarios) joined.scenarios.add(scenario);
    for (const key of run.keys.values())
      addKey(joined, key, skewMs, labels.filter((label) => label === key.label).length > 1);
    for (const [rule, { checked, broken, seen }] of run.rules) {
      const tally = tallyOf(joined, rule);
      tally.checked += checked;
      tally.broken += broken;
      addTally(tally.seen, seen);
    }
    addTally(joined.undecided, run.undecided);
    joined.stopped.push(...run.stopped);
    joined.dropped += run.dropped;
    for (const { from, to } of run.failures) joined.failures.push({ from: from - skewMs, to: to + skewMs });
    for (const duration of run.durations) joined.durations.push(duration);
    for (const [second, bin] of run.bins) {
      const joinedBin = entryOf(joined.bins, second, () => ({ ...noRequests }));
      for (const admission of Object.keys(bin) as (keyof typeof bin)[]) joinedBin[admission] += bin[admission];
    }
    joined.requests += run.requests;
  }
  return joined;
}

function addKey(joined: RawRun, key: RawKey, withinMs: number, isShared: boolean): void {
  const { label, limit, position, judging } = key;
  const joinedKey = entryOf(joined.keys, label, () => ({
    ...createRawKey(label),
    limit,
    position,
    judging,
    withinMs: isShared ? 0 : withinMs,
  }));
  for (const sample of isShared ? widened(key.samples, withinMs) : key.samples) joinedKey.samples.push(sample);
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
