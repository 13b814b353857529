import { ruleById } from '../../spec/rules.ts';
import { counted } from '../counted.ts';
import type { LawResult } from '../verdict/judge.ts';

/** The verdict of a run. `conformant`: every selected must rule was judged and kept. */
export interface Verdict {
  readonly verdict: 'conformant' | 'non-conformant' | 'incomplete';
  readonly exitCode: 0 | 1 | 3;
  /** Rules by outcome. */
  readonly mustRules: Readonly<Record<'fail' | 'error' | 'inconclusive' | 'not-run' | 'waived' | 'pass', number>>;
  /** `41 of 44 must rules passed, 2 not run, 1 inconclusive`. */
  readonly sentence: string;
}

interface VerdictOptions {
  /** Rules that cannot be judged because the target file lacks something do not make the run incomplete. */
  readonly allowNotRun?: boolean;
  /** Ids of laws with a waiver. */
  readonly waived?: ReadonlySet<string>;
}

export function verdictOf(
  results: readonly Pick<LawResult, 'id' | 'rule' | 'outcome'>[],
  { allowNotRun = false, waived = new Set() }: VerdictOptions = {},
): Verdict {
  const mustRules = { pass: 0, fail: 0, inconclusive: 0, 'not-run': 0, error: 0, waived: 0 };
  let all = 0;
  for (const { id, rule, outcome } of results) {
    const { level, provenance } = ruleById(rule);
    if (outcome === 'not-selected' || level !== 'must' || provenance !== 'documented') continue;
    const counts = outcome === 'fail' && waived.has(id) ? 'waived' : outcome;
    mustRules[counts in mustRules ? (counts as keyof typeof mustRules) : 'error']++;
    all++;
  }

  // Errors of the runner count only for must rules: the others do not enter the verdict.
  const unjudged = mustRules.inconclusive + mustRules.error + (allowNotRun ? 0 : mustRules['not-run']);
  const verdict =
    mustRules.fail > 0
      ? 'non-conformant'
      : unjudged > 0 || mustRules.pass + mustRules.waived === 0
        ? 'incomplete'
        : 'conformant';
  const exitCode = ({ conformant: 0, 'non-conformant': 1, incomplete: 3 } as const)[verdict];
  return { verdict, exitCode, mustRules, sentence: sentenceOf(mustRules, all) };
}

function sentenceOf(counts: Verdict['mustRules'], all: number): string {
  const rest = [
    [counts.fail, 'failed'],
    [counts.waived, 'failed and waived'],
    [counts['not-run'], 'not run'],
    [counts.inconclusive, 'inconclusive'],
    [counts.error, 'not judged because of errors of partnerkit'],
  ] as const;
  const parts = rest.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return [`${counts.pass} of ${counted(all, 'must rule')} passed`, ...parts].join(', ');
}
