import type { Target } from '../../spec/files/target.ts';
import type { Check } from '../check.ts';
import type { CheckResult } from '../outcome.ts';
import { type RunOptions, type RunRecord, run } from '../run.ts';
import { memoryJournal } from '../write-journal.ts';
import { type VirtualMockOptions, virtualMock } from './virtual-mock.ts';

export interface VirtualRun extends Partial<RunOptions> {
  readonly mock?: VirtualMockOptions;
  /** The target file, changed from the one that describes the mock. */
  readonly describe?: (target: Target) => Target;
}

/** Runs checks against the mock, or what a test has made of it, in virtual time; leftovers are allowed. */
export async function runVirtually(
  checks: readonly Check[],
  { mock, describe = (target) => target, ...options }: VirtualRun = {},
): Promise<RunRecord> {
  const { environment, target } = await virtualMock(mock);
  return run(describe(target), { checks, environment, journal: memoryJournal(), allowLeftovers: true, ...options });
}

/** The ids of the checks that found something: a broken must or should, or another answer to an open question than ours. */
export const finders = ({ results }: { readonly results: readonly CheckResult[] }): string[] =>
  results.filter(({ expected }) => expected !== null).map(({ id }) => id);

/** What neither passed nor was observed as assumed: `outcome id: message`, for a test to show. */
export const oddities = ({ results }: { readonly results: readonly CheckResult[] }): string[] =>
  results
    .filter(({ outcome, expected }) => !(outcome === 'pass' || outcome === 'observed') || expected !== null)
    .map(({ id, outcome, message }) => `${outcome} ${id}: ${message}`);
