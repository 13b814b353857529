import type { TargetInput } from '../../spec/files/target.ts';
import { runLoad } from '../index.ts';
import type { LoadReport } from '../report/report-schema.ts';
import { type PreparedRun, prepareRun } from '../run/prepare-run.ts';

export interface Trial {
  readonly scenario: string;
  readonly target: TargetInput;
  /** Seconds of the main phase. */
  readonly duration?: number | undefined;
}

/** Everything is on this machine, so any amount is allowed. */
const allowance = { maxRps: 1e6, maxRequests: 1e9, yes: false, allowLeftovers: true };
const choices = { allowance, env: process.env, where: 'target' };

/** Prepares a scenario against a mock on this machine. */
export const prepareTrial = ({ scenario, target, duration }: Trial): PreparedRun =>
  prepareRun(target, scenario, { ...choices, duration });

/** Runs a scenario against a mock on this machine, with the k6 of this machine. */
export const tryScenario = ({ scenario, target, duration }: Trial): Promise<LoadReport> =>
  runLoad(target, scenario, { ...choices, duration });
