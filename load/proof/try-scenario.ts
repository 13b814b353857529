import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TargetInput } from '../../spec/files/target.ts';
import type { LoadReport } from '../report/report-schema.ts';
import { findK6 } from '../run/find-k6.ts';
import { type PreparedRun, prepareRun } from '../run/prepare-run.ts';
import { runScenario } from '../run/run-scenario.ts';

/** The repository, whose `.cache/bin` may have a k6. */
export const root = join(import.meta.dirname, '../..');

export interface Trial {
  readonly scenario: string;
  readonly target: TargetInput;
  /** Seconds of the main phase. */
  readonly duration?: number | undefined;
}

/** Everything is on this machine, so any amount is allowed. */
const allowance = { maxRps: 1e6, maxRequests: 1e9, yes: false, allowLeftovers: true };

/** Prepares a scenario against a mock on this machine. */
export function prepareTrial({ scenario, target, duration }: Trial): PreparedRun {
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-proof-'));
  try {
    const file = join(folder, 'target.json');
    writeFileSync(file, JSON.stringify(target));
    return prepareRun({ scenario, file, keys: [], duration, allowance }, process.env);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs a scenario against a mock on this machine, with the k6 of this machine. */
export async function tryScenario(trial: Trial): Promise<LoadReport> {
  const k6 = await findK6({ env: process.env, root });
  return runScenario(prepareTrial(trial), {
    k6: k6.path,
    env: process.env,
    kit: 'proof',
  });
}
