import type { History } from '../history/history.ts';
import { judgeBy, type LawResult } from './judge.ts';
import type { Law } from './law.ts';
import { laws as allLaws } from './laws.ts';
import { leftOut, type Selection } from './selection.ts';

/** Judges a history by every selected law. The result lists the other laws as `not-selected`. */
export function judgeHistory(
  history: History,
  { laws = allLaws, ...selection }: Selection & { readonly laws?: readonly Law[] } = {},
): LawResult[] {
  return laws.map((law) => {
    const reason = leftOut(law, selection);
    if (reason === null) return judgeBy(law, history);
    const { id, rule, title } = law;
    return { id, rule, title, outcome: 'not-selected', message: reason, finding: { applied: 0, breaches: [] } };
  });
}
