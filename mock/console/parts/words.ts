import { durationInWords } from '../../../spec/text/time-in-words.ts';
import type { RateLimit } from '../control/control.ts';

/** How far the mock's clock is from real time: `1 h 5 min ahead`. */
export const describeOffset = (milliseconds: number): string =>
  `${durationInWords(Math.abs(milliseconds))} ${milliseconds < 0 ? 'behind' : 'ahead'}`;

/** What is wrong with a name that others have; null if none has it. */
export const takenProblem = (what: string, name: string, taken: readonly { readonly name: string }[]): string | null =>
  taken.some((one) => one.name === name.trim()) ? `There is a ${what} “${name.trim()}” already.` : null;

/** How long ago something was, by the mock's clock, which may have been set back since. */
export function describeAge(milliseconds: number): string {
  if (Math.abs(milliseconds) < 1_000) return 'just now';
  const [long] = durationInWords(Math.trunc(Math.abs(milliseconds) / 1_000) * 1_000).match(/\S+ \S+/) ?? [];
  return milliseconds < 0 ? `in ${long}` : `${long} ago`;
}

/** A number: `20`, `0.1`, `1,500`. */
export const describeCount = (count: number) => count.toLocaleString('en');

/** `1 way`, `1,500 ways`. */
export const counted = (count: number, one: string) => `${describeCount(count)} ${one}${count === 1 ? '' : 's'}`;

/** A rate limit as text. @param limit null for no limit */
export const describeLimit = (limit: RateLimit | null): string =>
  limit === null ? 'no limit' : `${describeCount(limit.perSecond)}/s, ${describeCount(limit.burst)}\u00a0at\u00a0once`;

/** When the next request will pass. @param wait in milliseconds; null for a key without a limit */
export function describeWait(wait: number | null): string {
  if (wait === null || wait === 0) return 'at once';
  return wait < 60_000 ? `in ${(wait / 1_000).toFixed(1)} s` : `in ${Math.ceil(wait / 60_000)} min`;
}

const sizeUnits = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** A number of bytes with its unit: `10.5 MB`. */
export function describeSize(bytes: number): string {
  const unit = bytes < 1_000 ? 0 : Math.min(sizeUnits.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${unit === 0 ? bytes : (bytes / 1_000 ** unit).toPrecision(3)} ${sizeUnits[unit]}`;
}

const uuid = /\b(?:[a-z]+-)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;

/** The last four characters of a UUID. Other ids are short already and stay whole. */
export const shortId = (id: string) => (id !== '' && id.replace(uuid, '') === '' ? `…${id.slice(-4)}` : id);

/** A text with its ids shortened. */
export const withShortIds = (text: string) => text.replace(uuid, shortId);

/** A part of an address as it was before it was encoded; as it is if it is none. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
