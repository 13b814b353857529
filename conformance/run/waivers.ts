import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import type { Waiver } from '../../spec/files/waivers.ts';
import { nearest } from '../../spec/text/nearest.ts';
import type { LawResult, Outcome } from '../verdict/judge.ts';
import { type Verdict, verdictOf } from './verdict.ts';

/**
 * `used`: the waiver excused a failure; `expired`: its date is past; `not-needed`: the law does not fail any more;
 * `not-judged`: this run did not judge the law.
 */
type WaiverState = 'used' | 'expired' | 'not-needed' | 'not-judged';

interface JudgedWaiver extends Waiver {
  readonly state: WaiverState;
}

/** A verdict that takes the waivers into account. */
export interface WaivedVerdict extends Verdict {
  readonly waivers: readonly JudgedWaiver[];
}

/**
 * The verdict with waivers. An expired or no longer needed waiver makes the exit code 1 and is named in the sentence, but does not change
 * the verdict itself. An interrupted or blocked run has exit code 3, whatever it has found.
 * @param today milliseconds since the epoch
 */
export function applyWaivers(
  record: {
    readonly results: readonly LawResult[];
    readonly interrupted: boolean;
    readonly blocked?: string | undefined;
  },
  waivers: readonly Waiver[],
  today: number,
  allowNotRun = false,
): WaivedVerdict {
  const outcomes = new Map(record.results.map(({ id, outcome }) => [id, outcome]));
  const day = new Date(today).toISOString().slice(0, 10);
  const judged = waivers.map((waiver) => ({ ...waiver, state: stateOf(waiver, outcomes.get(waiver.id), day) }));
  const waived = new Set(judged.filter(({ state }) => state === 'used').map(({ id }) => id));
  const verdict = verdictOf(record.results, { allowNotRun, waived });
  const wrong = judged.flatMap(({ id, owner, expires, state }) => {
    if (state === 'expired') return [`the waiver of ${id} (${owner}) expired on ${expires}`];
    return state === 'not-needed' ? [`the waiver of ${id} (${owner}) is no longer needed: remove it`] : [];
  });
  return {
    ...verdict,
    exitCode: record.interrupted || record.blocked ? 3 : wrong.length > 0 ? 1 : verdict.exitCode,
    sentence: [
      verdict.sentence,
      ...wrong,
      ...(record.interrupted ? ['interrupted'] : []),
      ...(record.blocked ? [record.blocked] : []),
    ].join('; '),
    waivers: judged,
  };
}

/** @throws ConfigurationError that names every waiver of a law that does not exist, with the nearest that does */
export function assertKnownWaivers(waivers: readonly Waiver[], ids: readonly string[], where: string): void {
  const problems = waivers.flatMap(({ id }, position) => {
    if (ids.includes(id)) return [];
    const meant = nearest(id, ids);
    const remedy = meant ? `did you mean "${meant}"?` : 'see partnerkit rules';
    return [`${where}: waivers[${position}].id: there is no law "${id}"; ${remedy}`];
  });
  if (problems.length > 0) throw new ConfigurationError(problems);
}

const notFailing: readonly Outcome[] = ['pass', 'warn', 'observed'];

function stateOf({ expires }: Waiver, outcome: Outcome | undefined, day: string): WaiverState {
  if (outcome === 'fail') return expires < day ? 'expired' : 'used';
  if (outcome !== undefined && notFailing.includes(outcome)) return expires < day ? 'expired' : 'not-needed';
  return 'not-judged';
}
