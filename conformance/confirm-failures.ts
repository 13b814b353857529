import type { CheckResult } from './outcome.ts';
import { type Prepared, prepare } from './prepare.ts';
import { type RunParts, runCheck } from './run-check.ts';
import { shared } from './shared.ts';
import { watches } from './watches.ts';

/** A check that found fault with something that others can change too. */
export interface Suspect {
  readonly prepared: Prepared;
  readonly result: CheckResult;
}

/** Whether a failure may be the doing of somebody else: labels, and the bucket of a key, are everybody's. */
export const isSuspect = ({ check, locks }: Prepared, { outcome, final }: CheckResult): boolean =>
  isBroken(outcome) && (locks.length > 0 || (check.after === 'limits' && !final));

const isBroken = (outcome: CheckResult['outcome']) => outcome === 'fail' || outcome === 'warn';

/**
 * A failure counts when it is there again whenever the check is repeated, and nobody else was seen before, between and after.
 * What was lost for good cannot be lost again, nor looked for where it was: it counts, unless somebody else was seen. What does not count is
 * inconclusive, and says why.
 */
export async function confirmFailures(suspects: readonly Suspect[], parts: RunParts): Promise<readonly CheckResult[]> {
  const ofKey = suspects.filter(isOfKey);
  const ofLabels = await Promise.all(
    byRecord(suspects.filter((suspect) => !isOfKey(suspect))).map((those) => confirmTogether(those, parts)),
  );
  // Whoever is at one record is likely to have been at the others.
  const labels = ofLabels.includes(null) ? null : ofLabels.flatMap((results) => results ?? []);
  // Last and alone, as limits are judged.
  const key = await confirmTogether(ofKey, parts);
  const judged = new Map([...(labels ?? []), ...(key ?? [])].map((result) => [result.id, result]));
  return suspects.map(
    (suspect) =>
      judged.get(suspect.result.id) ??
      unconfirmed(
        suspect.result,
        isOfKey(suspect)
          ? 'somebody else uses the key that is kept for limits'
          : 'somebody else changes labels of the tested records at the same time',
      ),
  );
}

const isOfKey = ({ prepared }: Suspect) => prepared.locks.length === 0;

/** Those that change the same records, together. */
function byRecord(suspects: readonly Suspect[]): Suspect[][] {
  let groups: { readonly locks: readonly string[]; readonly suspects: Suspect[] }[] = [];
  for (const suspect of suspects) {
    const { locks } = suspect.prepared;
    const near = groups.filter((group) => group.locks.some((lock) => locks.includes(lock)));
    groups = groups.filter((group) => !near.includes(group));
    groups.push({
      locks: [...near.flatMap((group) => group.locks), ...locks],
      suspects: [...near.flatMap((group) => group.suspects), suspect],
    });
  }
  return groups.map((group) => group.suspects);
}

/** How often a failure has to be there again. */
const rounds = 2;
/** Up to so many ms before each time, by chance: two runs that began together part ways. Those against a limiter are long. */
const longestPause = { labels: 2_500, key: 60_000 };
/** Beyond this many tries a check that cannot tell any more is given up. */
const tries = 3;

/** @returns null when somebody else was seen */
async function confirmTogether(suspects: readonly Suspect[], parts: RunParts): Promise<readonly CheckResult[] | null> {
  const { environment, signal } = parts;
  if (suspects.length === 0) return [];
  const found = new Map<Suspect, CheckResult>(suspects.map((suspect) => [suspect, suspect.result]));
  const longest = suspects.some(isOfKey) ? longestPause.key : longestPause.labels;
  if (await isDisturbed(suspects, parts)) return null;
  for (let round = 0; round < rounds; round++) {
    await environment.sleep(longest * environment.random(), signal);
    const again: RunParts = {
      ...parts,
      repeating: true,
      // What was seen of a record at first still holds; of a limiter nothing does.
      shared: suspects.some(isOfKey) ? shared() : parts.shared,
      onMeasured: () => undefined,
      onProfile: () => undefined,
    };
    for (const suspect of suspects) {
      const { prepared, result } = suspect;
      if (result.final || !isBroken(found.get(suspect)?.outcome ?? 'pass')) continue;
      const seen = await conclusive(prepared, again);
      if (!isBroken(seen.outcome) && !seen.changed) found.set(suspect, unconfirmed(result, reasonOf(seen)));
    }
    if (await isDisturbed(suspects, parts)) return null;
  }
  return [...found.values()];
}

/** Whether somebody else was seen at what these checks are about; false where nobody could be seen. */
async function isDisturbed(suspects: readonly Suspect[], parts: RunParts): Promise<boolean> {
  const locks = new Set(suspects.flatMap(({ prepared }) => prepared.locks));
  const looked = watches.map(async (watch) => {
    const prepared = prepare(watch, parts.deployment);
    if ('missing' in prepared) return false;
    const isAbout = prepared.locks.length === 0 ? locks.size === 0 : prepared.locks.some((lock) => locks.has(lock));
    return isAbout && (await runCheck(prepared, { ...parts, shared: shared() })).expected !== null;
  });
  return (await Promise.all(looked)).includes(true);
}

async function conclusive(prepared: Prepared, parts: RunParts): Promise<CheckResult> {
  let last = await runCheck(prepared, parts);
  for (let i = 1; i < tries && last.outcome === 'inconclusive' && !last.changed && !parts.signal?.aborted; i++)
    last = await runCheck(prepared, parts);
  return last;
}

const reasonOf = ({ outcome, message }: CheckResult): string =>
  outcome === 'inconclusive' || outcome === 'error'
    ? `it could not be repeated: ${message}`
    : 'it was not there when the check was repeated, so that it may be the doing of somebody else';

/** A failure that nobody may be blamed for. */
const unconfirmed = (result: CheckResult, reason: string): CheckResult => ({
  ...result,
  outcome: 'inconclusive',
  message: `${result.message}; ${reason}`,
  expected: null,
  observed: null,
});
