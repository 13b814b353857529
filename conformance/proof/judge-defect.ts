import { type RuleId, ruleById } from '../../spec/rules.ts';
import type { Check } from '../check.ts';
import type { Outcome } from '../outcome.ts';
import { PreflightError } from '../preflight.ts';
import { type RunRecord, run } from '../run.ts';
import { memoryJournal } from '../write-journal.ts';
import type { Defect } from './defect.ts';
import { virtualMock } from './virtual-mock.ts';

/** `killed`: a check of the rule that it breaks has found it; `noise`: it was never reached, and so proves nothing. */
export type Fate = 'killed' | 'survived' | 'noise';

/** What became of one defect. */
export interface DefectResult {
  readonly id: string;
  readonly breaks: RuleId;
  readonly does: string;
  readonly fate: Fate;
  /** Nobody outside can see it: surviving is right. */
  readonly survives: boolean;
  /** Checks of the broken rule that failed or warned. */
  readonly killedBy: readonly string[];
  /** Checks of other rules that failed or warned as well. */
  readonly collateral: readonly string[];
  /** Checks that could not tell. */
  readonly inconclusive: readonly string[];
  /** Milliseconds of real time. */
  readonly duration: number;
}

/** Runs checks against a mock with a defect, in virtual time, over a network that takes 40 ms each way. */
export async function judgeDefect(defect: Defect, checks: readonly Check[]): Promise<DefectResult> {
  const startedAt = performance.now();
  const { id, breaks, does, survives = false } = defect;
  let touched = false;
  const reached = () => {
    touched = true;
  };
  const { environment, target } = await virtualMock({
    latency: () => 40,
    onError: () => {},
    ...defect.options?.(reached),
    ...(defect.around && {
      around: (handle, mock) => defect.around?.({ handle, mock, reached }) ?? handle,
    }),
  });
  const options = { checks, environment, journal: memoryJournal(), allowLeftovers: true, slow: true };
  const results = await run(defect.target?.(target) ?? target, options).then(
    ({ results }) => results,
    refusedAtTheDoor,
  );
  const having = (...outcomes: Outcome[]) => results.filter(({ outcome }) => outcomes.includes(outcome));
  const broken = having('fail', 'warn', 'error').concat(deviating(results));
  const ids = (found: typeof broken) => [...new Set(found.map((result) => result.id))];
  const killedBy = ids(broken.filter(({ rule, outcome }) => rule === breaks && outcome !== 'error'));
  return {
    id,
    breaks,
    does,
    fate: !touched ? 'noise' : killedBy.length > 0 ? 'killed' : 'survived',
    survives,
    killedBy,
    collateral: ids(broken.filter(({ rule, outcome }) => rule !== breaks && outcome !== 'observed')),
    inconclusive: ids(having('inconclusive')),
    duration: Math.round(performance.now() - startedAt),
  };
}

/** Rules that are ours alone cannot fail: there a check has found something when it saw another answer than it expected. */
const deviating = (results: RunRecord['results']) =>
  results.filter(
    ({ rule, outcome, expected }) =>
      outcome === 'observed' && expected !== null && ruleById(rule).provenance !== 'documented',
  );

/** A defect after which nothing can be judged is found by nobody. */
function refusedAtTheDoor(error: unknown): RunRecord['results'] {
  if (error instanceof PreflightError) return [];
  throw error;
}
