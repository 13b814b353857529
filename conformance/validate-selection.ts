import { ConfigurationError } from '../spec/files/configuration-error.ts';
import { nearest } from '../spec/text/nearest.ts';
import type { Check } from './check.ts';
import { leftOut, type Selection, tagsOf } from './selection.ts';

/**
 * A filter that fits nothing is a slip of the pen, and must not pass as a run that found nothing wrong.
 * @throws ConfigurationError that names every word no check answers to, with the nearest that one does
 */
export function assertKnownSelection({ only = [], skip = [], tags = [] }: Selection, checks: readonly Check[]): void {
  const known = new Set(checks.flatMap(tagsOf));
  const words = new Set([...checks.flatMap((check) => [...beginnings(check.id), ...beginnings(check.rule)]), ...known]);
  const matchesNone = (pattern: string) =>
    checks.every((check) => leftOut(check, { only: [pattern], slow: true, allowLeftovers: true }) !== null);
  const problems = [
    ...only.filter(matchesNone).map((word) => unknown('--only', word, 'check', words)),
    ...skip.filter(matchesNone).map((word) => unknown('--skip', word, 'check', words)),
    ...tags.filter((tag) => !known.has(tag)).map((word) => unknown('--tag', word, 'tag', known)),
  ];
  if (problems.length > 0) throw new ConfigurationError(problems);
}

/**
 * The check with that id.
 * @throws ConfigurationError that names the nearest id, or the nearest beginning of some
 */
export function checkById(id: string, checks: readonly Check[]): Check {
  const found = checks.find((check) => check.id === id);
  if (found !== undefined) return found;
  const within = checks.filter((check) => check.id.startsWith(`${id.replace(/\/$/, '')}/`)).map((check) => check.id);
  if (within.length > 0)
    throw new ConfigurationError([`${id}: there are ${within.length} checks below it: ${within.join(', ')}`]);
  const words = new Set(checks.flatMap((check) => beginnings(check.id)));
  throw new ConfigurationError([unknown('', id, 'check', words).trimStart()]);
}

/** `labels`, `labels/apply`, ... up to the whole id. */
const beginnings = (id: string) => id.split('/').map((_, last, parts) => parts.slice(0, last + 1).join('/'));

function unknown(flag: string, word: string, what: string, words: ReadonlySet<string>): string {
  const meant = nearest(word, words);
  const all = what === 'tag' ? `there are: ${[...words].sort().join(', ')}` : 'see partnerkit conformance list';
  return `${flag} ${word}: there is no ${what} of this name; ${meant === undefined ? all : `did you mean "${meant}"?`}`;
}
