import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fleetTarget } from '../../load/fleet-fixture.ts';
import type { LoadReport } from '../../load/report/report-schema.ts';
import { findK6 } from '../../load/run/find-k6.ts';
import { type PreparedRun, prepareRun } from '../../load/run/prepare-run.ts';
import { runScenario } from '../../load/run/run-scenario.ts';
import { packageRoot, packageVersion } from '../package-facts.ts';

export interface Trial {
  readonly scenario: string;
  readonly url: string;
  /** Seconds of the main phase. */
  readonly duration?: number | undefined;
  /** Keys of a fleet; without them the packaged target is used. */
  readonly keys?: number | undefined;
  readonly rawFile?: string | undefined;
}

/** Everything is on this machine, so any amount is allowed. */
const allowance = { maxRps: 1e6, maxRequests: 1e9, yes: false, allowLeftovers: true };

/** A scenario prepared against a mock on this machine. */
export function prepareTrial({ scenario, url, duration, keys }: Trial): PreparedRun {
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-proof-'));
  try {
    const file = join(folder, 'target.yaml');
    const packaged = readFileSync(join(packageRoot(), 'fixtures/mock.target.yaml'), 'utf8');
    const text =
      keys === undefined
        ? packaged.replace(/^baseUrl: .*$/m, `baseUrl: ${url}`)
        : JSON.stringify(fleetTarget(url, keys));
    writeFileSync(file, text);
    return prepareRun({ scenario, file, keys: [], duration, allowance }, process.env);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs a scenario against a mock on this machine, with the k6 that is there. */
export async function tryScenario(trial: Trial): Promise<LoadReport> {
  const k6 = await findK6({ env: process.env, root: packageRoot() });
  return runScenario(prepareTrial(trial), {
    k6: k6.path,
    env: process.env,
    kit: packageVersion(),
    rawFile: trial.rawFile,
  });
}
