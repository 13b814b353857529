import { areaOf, type Check } from './check.ts';

/** Which checks of all run. Patterns are ids or their beginnings (`labels`, `labels/apply`), or ids of rules. */
export interface Selection {
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly tags?: readonly string[];
  readonly readOnly?: boolean;
  readonly allowLeftovers?: boolean;
  readonly slow?: boolean;
}

/** Every word that `--tag` knows for a check. */
export const tagsOf = (check: Check): string[] => [
  areaOf(check),
  ...(check.writes ? ['writes'] : ['reads']),
  ...(check.writes === 'leftovers' ? ['leftovers'] : []),
  ...(check.slow ? ['slow'] : []),
  ...(check.after === 'limits' ? ['limits'] : []),
];

/** Null when the check is to run, else why not. */
export function leftOut(check: Check, selection: Selection): string | null {
  const { only = [], skip = [], tags = [] } = selection;
  const matches = (pattern: string) =>
    within(check.id, pattern) || within(check.rule, pattern) || tagsOf(check).includes(pattern);
  if (only.length > 0 && !only.some(matches)) return 'not among --only';
  if (skip.some(matches)) return 'left out by --skip';
  if (tags.length > 0 && !tags.some((tag) => tagsOf(check).includes(tag))) return 'has none of the tags of --tag';
  if (selection.readOnly && check.writes) return 'writes, and --read-only was given';
  if (check.writes === 'leftovers' && !selection.allowLeftovers) return 'leaves a file behind: needs --allow-leftovers';
  if (check.slow && !selection.slow) return 'takes more than five minutes: needs --slow';
  return null;
}

const within = (id: string, pattern: string) => id === pattern || id.startsWith(`${pattern.replace(/\/$/, '')}/`);
