import { type Exchange, isObject, objectIn, succeeded } from '../conformance/history/exchange.ts';
import { type ProfilePatch, patched, withPatch } from '../conformance/profile.ts';
import { keepDocumentedRules } from '../mock/profile/keep-documented-rules.ts';
import { ConfigurationError } from '../spec/files/configuration-error.ts';
import { type Profile, parseProfile } from '../spec/files/profile-schema.ts';
import { operationIds } from '../spec/operations.ts';
import { refusalCases } from '../spec/refusals.ts';
import { type Expressed, expressed, type Made, ordersFor } from './express.ts';
import { mayTellOfPerson, peopleIn } from './made-texts.ts';
import type { Recording } from './recording.ts';
import { type Replayed, replay } from './replay.ts';
import type { Seen } from './seen.ts';
import { waysIn } from './ways.ts';

/** A difference that is learned may show another behind it; after these rounds no more are looked for. */
const maxRounds = 5;

/** So many are tried alone, where all together do not help. */
const maxAlone = 20;

interface Learned {
  readonly profile: Profile;
  readonly replayed: readonly Replayed[];
}

/** The profile with everything that makes the mock answer as was recorded, as far as a profile can say it. */
export async function learn(recording: Recording, seen: Seen, given: Profile, made: Made): Promise<Learned> {
  let best: Learned = { profile: given, replayed: await replay(recording, seen, given) };
  let alone = maxAlone;
  const tried = new Set<string>();
  const attempt = async (patches: readonly ProfilePatch[]) => {
    const profile = patches.reduce<Profile>(withPatch, best.profile);
    return { profile, replayed: await replay(recording, seen, profile) };
  };
  for (let round = 1; round <= maxRounds; round++) {
    const taken = new Set<string>();
    const patches = waysIn(best.replayed).flatMap((way) => {
      const found = admissible(expressed(way, recording, made));
      if (!('patch' in found) || tried.has(JSON.stringify(found.patch))) return [];
      // Of two replies that ask for different values of one property, the more frequent one gets its own.
      const places = placesOf(found.patch);
      if (places.some((place) => taken.has(place))) return [];
      for (const place of places) taken.add(place);
      return [found.patch];
    });
    const orders = waysIn(best.replayed)
      .flatMap((way) => ordersFor(way, best.profile))
      .filter((patch) => !tried.has(JSON.stringify(patch)) && 'patch' in admissible({ patch }));
    if (patches.length + orders.length === 0) break;
    for (const patch of patches) tried.add(JSON.stringify(patch));
    const all = patches.length === 0 ? best : await attempt(patches);
    if (isBetter(all.replayed, best.replayed)) best = all;
    // Where other patches help, they may show another order.
    else
      for (const patch of [...orders, ...patches].slice(0, alone)) {
        tried.add(JSON.stringify(patch));
        alone--;
        const one = await attempt([patch]);
        if (isBetter(one.replayed, best.replayed)) best = one;
      }
  }
  const more = [
    wordsIn(best.replayed, peopleIn(seen.seeds.map(({ keys: _, labels: __, ...records }) => records))),
    latencyIn(recording),
  ];
  const profile = more.reduce<Profile>((profile, patch) => patched(profile, patch), best.profile);
  return { ...best, profile: parseProfile(profile, 'what was learned') };
}

/** Whether more replies are alike, or as many with fewer differences. */
function isBetter(now: readonly Replayed[], before: readonly Replayed[]): boolean {
  const all = (replayed: readonly Replayed[]) => replayed.reduce((sum, { differences }) => sum + differences.length, 0);
  const gained = alikeIn(now) - alikeIn(before);
  return gained > 0 || (gained === 0 && all(now) < all(before));
}

export const alikeIn = (replayed: readonly Replayed[]): number =>
  replayed.filter(({ differences, unknown }) => differences.length === 0 && unknown === null).length;

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

/** The words of refusals, where a deployment always uses the same. Numbers in them belong to one request, and names to a person. */
function wordsIn(replayed: readonly Replayed[], people: ReadonlySet<string>): ProfilePatch {
  const refused = replayed.filter(
    ({ exchange, refused }) => refusalCases.some((one) => one === refused) && (exchange.status ?? 0) >= 400,
  );
  const errors = [...Map.groupBy(refused, ({ refused }) => refused)].flatMap(([name, all]) => {
    const [first] = all;
    const status = first?.exchange.status;
    const message = first && messageOf(first.exchange);
    const isSame = all.every(({ exchange }) => exchange.status === status && messageOf(exchange) === message);
    const isNew = all.some(({ mock }) => mock === null || messageOf(mock) !== message);
    const isPlain =
      typeof message === 'string' && message !== '' && !/\d\d/.test(message) && !mayTellOfPerson(message, people);
    return all.length > 1 && isSame && isNew && isPlain ? [[name, { status, message }]] : [];
  });
  return errors.length > 0 ? { errors: Object.fromEntries(errors) } : {};
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
