import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { type RuleId, ruleById } from '../../spec/rules.ts';
import { remedy } from '../../spec/text/nearest.ts';
import type { Law } from './law.ts';

/** Which laws judge a run. Patterns are ids of rules, their beginnings (`labels`, `labels/apply-adds`), or tags (`must`, `documented`). */
export interface Selection {
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
}

/** The part of a law's id before the first slash. */
export const areaOf = ({ id }: { readonly id: string }) => id.slice(0, id.indexOf('/'));

/** The tags of a law. `limits` marks laws whose scripts exhaust a key. */
function tagsOf(law: Law): string[] {
  const { level, provenance } = ruleById(law.id);
  return [areaOf(law), level, provenance, ...(areaOf(law) === 'limiter' ? ['limits'] : [])];
}

/** Why the law is not selected; null if it is. */
export function leftOut(law: Law, { only = [], skip = [] }: Selection): string | null {
  const matches = (pattern: string) => within(law.id, pattern) || tagsOf(law).includes(pattern);
  if (only.length > 0 && !only.some(matches)) return 'not among those chosen';
  return skip.some(matches) ? 'left out by --skip' : null;
}

const within = (id: string, pattern: string) => id === pattern || id.startsWith(`${pattern.replace(/\/$/, '')}/`);

/** The rules of the selected laws, or no `rules` if all laws are selected. */
export function rulesOf(laws: readonly Law[], selection: Selection): { readonly rules?: ReadonlySet<RuleId> } {
  const selected = laws.filter((law) => leftOut(law, selection) === null);
  return selected.length === laws.length ? {} : { rules: new Set(selected.map(({ id }) => id)) };
}

/**
 * A filter that matches no law is a typing mistake, and must not end in a run without failures.
 * @throws ConfigurationError that names each such filter, with the most similar id
 */
export function assertKnownSelection({ only = [], skip = [] }: Selection, laws: readonly Law[]): void {
  const words = [...new Set(laws.flatMap((law) => [law.id, areaOf(law)]))];
  const matchesNone = (pattern: string) => laws.every((law) => leftOut(law, { only: [pattern] }) !== null);
  const problems = Object.entries({ only, skip }).flatMap(([flag, patterns]) =>
    patterns
      .filter(matchesNone)
      .map(
        (word) => `--${flag} ${word}: there is no rule of this name; ${remedy(word, words, 'see partnerkit rules')}`,
      ),
  );
  if (problems.length > 0) throw new ConfigurationError(problems);
}
