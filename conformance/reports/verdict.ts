import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import type { Waiver } from '../../spec/files/waivers.ts';
import { ruleById } from '../../spec/rules.ts';
import { remedy } from '../../spec/text/nearest.ts';
import { counted } from '../counted.ts';
import type { History } from '../history/history.ts';
import type { LawResult, Outcome } from '../verdict/judge.ts';
import type { Report } from './report-schema.ts';

/** `conformant`: every selected must rule was judged and kept, or its failure is waived. */
export type WaivedVerdict = Pick<Report, 'verdict' | 'exitCode' | 'mustRules' | 'sentence' | 'waivers'>;

type Judged = Pick<History, 'interrupted' | 'blocked'> & {
  readonly results: readonly Pick<LawResult, 'id' | 'rule' | 'outcome'>[];
};

/**
 * The verdict with waivers. An expired or no longer needed waiver makes the exit code 1 and is named in the sentence, but does not change
 * the verdict itself. An interrupted or blocked run has exit code 3, whatever it has found, and is never conformant.
 * @param today milliseconds since the epoch
 * @param allowNotRun rules that cannot be judged because the target file lacks something do not make the run incomplete
 */
export function applyWaivers(
  { results, interrupted, blocked }: Judged,
  waivers: readonly Waiver[],
  today: number,
  allowNotRun = false,
): WaivedVerdict {
  const outcomes = new Map(results.map(({ id, outcome }) => [id, outcome]));
  const day = new Date(today).toISOString().slice(0, 10);
  const judged = waivers.map(
    (waiver) => ({ ...waiver, state: stateOf(waiver, outcomes.get(waiver.id), day) }) as const,
  );
  const mustRules = { fail: 0, error: 0, waived: 0, inconclusive: 0, pass: 0, 'not-run': 0 };
  for (const { id, rule, outcome } of results) {
    const { level, provenance } = ruleById(rule);
    // Errors of the runner count only for must rules: the others do not enter the verdict.
    if (outcome === 'not-selected' || level !== 'must' || provenance !== 'documented') continue;
    const isWaived = outcome === 'fail' && judged.some((waiver) => waiver.id === id && waiver.state === 'used');
    const counts = isWaived ? 'waived' : outcome;
    mustRules[counts in mustRules ? (counts as keyof typeof mustRules) : 'error']++;
  }
  const unjudged = mustRules.inconclusive + mustRules.error + (allowNotRun ? 0 : mustRules['not-run']);
  const ended = [...(interrupted ? ['interrupted'] : []), ...(blocked ? [blocked] : [])];
  const isIncomplete = unjudged > 0 || mustRules.pass + mustRules.waived === 0 || ended.length > 0;
  const verdict = mustRules.fail > 0 ? 'non-conformant' : isIncomplete ? 'incomplete' : 'conformant';
  const wrong = judged.flatMap(({ id, owner, expires, state }) => {
    if (state === 'expired') return [`the waiver of ${id} (${owner}) expired on ${expires}`];
    return state === 'not-needed' ? [`the waiver of ${id} (${owner}) is no longer needed: remove it`] : [];
  });
  const exitCode = ({ conformant: 0, 'non-conformant': 1, incomplete: 3 } as const)[verdict];
  return {
    verdict,
    exitCode: ended.length > 0 ? 3 : wrong.length > 0 ? 1 : exitCode,
    mustRules,
    sentence: [sentenceOf(mustRules), ...wrong, ...ended].join('; '),
    waivers: judged,
  };
}

function sentenceOf({ pass, ...others }: WaivedVerdict['mustRules']): string {
  const words = [
    ['fail', 'failed'],
    ['waived', 'failed and waived'],
    ['not-run', 'not run'],
    ['inconclusive', 'inconclusive'],
    ['error', 'not judged because of errors of partnerkit'],
  ] as const;
  const all = Object.values(others).reduce((sum, count) => sum + count, pass);
  const parts = words.flatMap(([one, said]) => (others[one] > 0 ? [`${others[one]} ${said}`] : []));
  return [`${pass} of ${counted(all, 'must rule')} passed`, ...parts].join(', ');
}

function stateOf({ expires }: Waiver, outcome: Outcome | undefined, day: string) {
  if (outcome === 'fail') return expires < day ? 'expired' : 'used';
  if (outcome === undefined || !['pass', 'warn', 'observed'].includes(outcome)) return 'not-judged';
  return expires < day ? 'expired' : 'not-needed';
}

/** @throws ConfigurationError that names every waiver of a law that does not exist, with the nearest that does */
export function assertKnownWaivers(waivers: readonly Waiver[], ids: readonly string[], where: string): void {
  const problems = waivers.flatMap(({ id }, position) => {
    if (ids.includes(id)) return [];
    return [`${where}: waivers[${position}].id: there is no law "${id}"; ${remedy(id, ids, 'see partnerkit rules')}`];
  });
  if (problems.length > 0) throw new ConfigurationError(problems);
}
