import type { History } from '../history/history.ts';
import type { Breach } from './law.ts';

/** Whether somebody else may have done what is held against the deployment. */
export function interference<T extends Breach>(
  _history: History,
  found: readonly T[],
): { readonly breaches: readonly T[]; readonly unclear: readonly string[] } {
  return { breaches: found, unclear: [] };
}
