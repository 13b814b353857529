import { type Exchange, isObject, objectIn, succeeded } from '../conformance/history/exchange.ts';
import { type ProfilePatch, patched } from '../conformance/profile.ts';
import { keepDocumentedRules } from '../mock/profile/keep-documented-rules.ts';
import { ConfigurationError } from '../spec/files/configuration-error.ts';
import { type Profile, parseProfile, refusalCases } from '../spec/files/profile-schema.ts';
import { operationIds } from '../spec/operations.ts';
import { type Expressed, expressed, type Made } from './express.ts';
import type { Recording } from './recording.ts';
import { type Replayed, replay } from './replay.ts';
import type { Seen } from './seen.ts';
import { waysIn } from './ways.ts';

/** A difference that is learned may show another behind it; after these rounds no more are looked for. */
const maxRounds = 5;

/** Each of these is tried alone, where all together do not help. */
const maxAlone = 20;

interface LearnOptions {
  readonly made: Made;
  readonly onRound?: (round: number) => void;
}

/**
 * The profile with everything that makes the mock answer as was recorded, as far as a profile can say it.
 * @param replayed with the profile that is the beginning
 */
export async function learn(
  recording: Recording,
  seen: Seen,
  { profile: given, replayed: before }: { readonly profile: Profile; readonly replayed: readonly Replayed[] },
  { made, onRound }: LearnOptions,
): Promise<{ readonly profile: Profile; readonly replayed: readonly Replayed[] }> {
  let best = { profile: given, replayed: before };
  const failed = new Set<string>();
  const attempt = async (patches: readonly ProfilePatch[]) => {
    const profile = patches.reduce<Profile>(withPatch, best.profile);
    return { profile, replayed: await replay(recording, seen, { profile }) };
  };
  for (let round = 1; round <= maxRounds; round++) {
    const taken = new Set<string>();
    const patches = waysIn(best.replayed).flatMap((way) => {
      const found = admissible(expressed(way, recording, made));
      if (!('patch' in found) || failed.has(JSON.stringify(found.patch))) return [];
      // Of two replies that ask for different values of one property, the more frequent one gets its own.
      const places = placesOf(found.patch);
      if (places.some((place) => taken.has(place))) return [];
      for (const place of places) taken.add(place);
      return [found.patch];
    });
    if (patches.length === 0) break;
    onRound?.(round);
    const all = await attempt(patches);
    if (alikeIn(all.replayed) > alikeIn(best.replayed)) best = all;
    else
      for (const patch of patches.slice(0, maxAlone)) {
        const one = await attempt([patch]);
        if (alikeIn(one.replayed) > alikeIn(best.replayed)) best = one;
        else failed.add(JSON.stringify(patch));
      }
  }
  const more = [wordsIn(best.replayed), latencyIn(recording)];
  const profile = more.reduce<Profile>((profile, patch) => patched(profile, patch), best.profile);
  return { ...best, profile: parseProfile(profile, 'what was learned') };
}

export const alikeIn = (replayed: readonly Replayed[]): number =>
  replayed.filter(({ differences, unknown }) => differences.length === 0 && unknown === null).length;

/** Lists of omitted properties are joined; all else is merged. */
function withPatch(profile: Profile, patch: ProfilePatch): Profile {
  const after = patched(profile, patch);
  for (const id of operationIds) {
    const [was, is] = [profile.bodies?.[id]?.omit ?? [], patch.bodies?.[id]?.omit ?? []];
    if (is.length > 0) Object.assign(after.bodies?.[id] ?? {}, { omit: [...new Set([...was, ...is])] });
  }
  return after;
}

/** A patch that the mock would refuse, because it contradicts a rule that the specification documents, is none. */
export function admissible(found: Expressed): Expressed {
  if (!('patch' in found)) return found;
  try {
    keepDocumentedRules(parseProfile(found.patch, 'profile'), 'profile');
    return found;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return {
      why: `the mock keeps the documented rule: ${error.problems[0]?.replace(/^profile: /, '').replace(/; remove it.*/, '')}`,
    };
  }
}

const placesOf = (value: unknown, at = ''): string[] =>
  isObject(value) && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([name, inner]) => placesOf(inner, `${at}.${name}`))
    : Array.isArray(value)
      ? value.map((item) => `${at}.${item}`)
      : [at];

/** The words of refusals, where a deployment always uses the same. */
function wordsIn(replayed: readonly Replayed[]): ProfilePatch {
  const errors: Record<string, object> = {};
  const refused = replayed.filter(({ exchange, refused }) => refused !== null && (exchange.status ?? 0) >= 400);
  for (const [name, all] of Map.groupBy(refused, ({ refused }) => refused)) {
    const isCase = refusalCases.some((one) => one === name);
    const words = new Set(all.map(({ exchange }) => messageOf(exchange)));
    const own = new Set(all.map(({ mock }) => mock && messageOf(mock)));
    const [only] = words;
    const { exchange } = all[0] ?? {};
    if (
      !isCase ||
      words.size !== 1 ||
      typeof only !== 'string' ||
      only === '' ||
      all.length < 2 ||
      exchange === undefined
    )
      continue;
    if (own.size === 1 && own.has(only)) continue;
    errors[String(name)] = { status: exchange.status, message: only };
  }
  return Object.keys(errors).length > 0 ? ({ errors } as ProfilePatch) : {};
}

function messageOf(reply: Pick<Exchange, 'body'>): unknown {
  const { error, message } = objectIn(reply);
  return isObject(error) ? error.message : message;
}

/** Fewer replies show no distribution. */
const minReplies = 20;
/** Milliseconds. What is faster is as fast as the mock. */
const minLatency = 5;

/** How long replies took, network and all. */
function latencyIn({ exchanges }: Recording): ProfilePatch {
  const latency = operationIds.flatMap((id) => {
    const times = exchanges
      .filter((one) => one.operation === id && succeeded(one) && one.paced)
      .map(({ sentAt, doneAt }) => doneAt - sentAt)
      .sort((a, b) => a - b);
    const at = (share: number) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
    const [median, p99] = [at(0.5), at(0.99)];
    return times.length < minReplies || median < minLatency ? [] : [[id, { median, p99 }]];
  });
  return latency.length > 0 ? { latency: Object.fromEntries(latency) } : {};
}
