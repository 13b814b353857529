import { nearest } from './nearest.ts';

/** What to write instead of a word that is not allowed: the allowed word that was most likely meant, or a list of all. */
export function remedy(word: string, allowed: readonly string[]): string {
  const meant = nearest(word, allowed);
  return meant === undefined ? `allowed: ${allowed.join(', ')}` : `did you mean "${meant}"?`;
}
