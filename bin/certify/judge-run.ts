import type { RuleId } from '../../spec/rules.ts';
import { durationInWords } from '../../spec/text/time-in-words.ts';
import { stillTrying } from './duties/waiting.ts';
import type { ClientRun } from './run-client.ts';
import { surplus, type TenantState } from './tenant-state.ts';
import { maxAttempts } from './traffic.ts';
import type { Variation } from './variations/variation.ts';

/** What is wrong with a varied run. */
export interface Wrong {
  readonly rule: RuleId;
  readonly expected: string;
  readonly observed: string;
  /** The client failed and reported it, which is allowed here. */
  readonly excused: boolean;
  /** Why the run does not tell after all. */
  readonly undecided?: string;
  /** Replaces the advice of the variation. */
  readonly advice?: string;
}

/** The state that an unvaried run leaves. */
export interface Reference {
  readonly end: TenantState;
  /** All changes that existed at some time. A run that fails may stop at any of them. */
  readonly passed: TenantState;
}

/** What is wrong with a run; undefined if nothing is. @param reference null if unvaried runs leave different states */
export function wrongWith(
  { ended, succeeded, state, attempts }: ClientRun,
  variation: Pick<Variation, 'rule' | 'ends' | 'mayFail' | 'keepsState'>,
  part: string,
  reference: Reference | null,
): Wrong | undefined {
  const compared = variation.keepsState === false ? null : reference;
  const more = compared === null ? [] : surplus(state, succeeded ? compared.end : compared.passed);
  const less = compared === null ? [] : surplus(compared.end, state);
  if (more.length > 0) {
    return {
      rule: 'client/does-once',
      expected: 'every write once',
      observed: `${list(more)} too much`,
      excused: false,
      advice:
        'Before you repeat a request that is not idempotent, check whether it was executed. A 409 says that it was.',
    };
  }
  if (succeeded && less.length > 0) {
    const observed = `exit code 0, and ${list(less)} is missing`;
    return { rule: 'client/tells-failures', expected: 'a reported failure', observed, excused: false };
  }
  if (succeeded) return undefined;
  const { rule } = variation;
  if (variation.ends && attempts > maxAttempts) {
    const observed = `no end after ${attempts} attempts`;
    return { rule: 'client/ends-retrying', expected: 'an end of attempts', observed, excused: false };
  }
  if (ended.timedOut) {
    const observed = `no end after ${durationInWords(ended.milliseconds)}`;
    const wrong = { rule, expected: 'the command ends', observed, excused: false };
    return variation.ends && attempts > 1 ? { ...wrong, undecided: stillTrying(attempts) } : wrong;
  }
  const how = ended.code === null ? `ended by ${ended.signal}` : `exit code ${ended.code}`;
  if (variation.ends) {
    const left = compared === null ? [] : surplus(state, compared.end);
    if (left.length === 0) return undefined;
    const observed = `${list(left)} half-way`;
    const advice = 'Continue from there the next time, or undo it.';
    return { rule: 'client/does-once', expected: 'nothing half done', observed, excused: true, advice };
  }
  return { rule, expected: 'success', observed: how, excused: variation.mayFail?.(part) ?? false };
}

const list = (things: readonly string[]) =>
  things.length > 2 ? `${things.slice(0, 2).join(', ')} and ${things.length - 2} more` : things.join(' and ');
