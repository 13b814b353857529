import { nearest } from './nearest.ts';

/** What to write in place of a word that is not allowed: the one that was most likely meant, or all there are. */
export function remedy(word: string, allowed: readonly string[]): string {
  const meant = nearest(word, allowed);
  return meant === undefined ? `allowed: ${allowed.join(', ')}` : `did you mean "${meant}"?`;
}
