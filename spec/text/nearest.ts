import { closestMatch } from 'leven';

/**
 * The candidate that a mistyped word most likely meant; undefined if none is near. Near means two letters added, removed or changed, or one for
 * every three letters of a longer word. Case does not matter.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const all = [...candidates];
  const lower = all.map((one) => one.toLowerCase());
  const meant = closestMatch(word.toLowerCase(), lower, { maxDistance: Math.max(2, Math.floor(word.length / 3)) });
  return meant === undefined ? undefined : all[lower.indexOf(meant)];
}

/** What to write instead of a word that is not allowed: the allowed word that was most likely meant, or a list of all, or what is said otherwise. */
export function remedy(word: string, allowed: readonly string[], otherwise = `allowed: ${allowed.join(', ')}`): string {
  const meant = nearest(word, allowed);
  return meant === undefined ? otherwise : `did you mean "${meant}"?`;
}
