import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ReportContext } from '../report/report-of.ts';
import { reportOf } from '../report/report-of.ts';
import type { LoadReport } from '../report/report-schema.ts';
import { judgeRun } from '../verdict/judge-run.ts';
import { createRawRun, type RawRun } from '../verdict/raw-run.ts';
import { createRawReader } from '../verdict/read-raw.ts';
import { doubtsOf } from './doubts-of.ts';
import { environmentArguments, type PreparedRun, runFolder, scenarioFile } from './prepare-run.ts';
import { runK6 } from './run-k6.ts';

export interface RunScenarioOptions {
  readonly k6: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where k6's raw output is kept; without it, it is removed at the end. */
  readonly rawFile?: string | undefined;
  /** Where k6 writes its own dashboard as a page. */
  readonly dashboard?: string | undefined;
  readonly kit: string;
  readonly onProgress?: (run: RawRun) => void;
}

/** Runs a prepared scenario with k6 and judges what it recorded. */
export async function runScenario(prepared: PreparedRun, options: RunScenarioOptions): Promise<LoadReport> {
  using folder = runFolder(prepared.portable);
  const rawFile = options.rawFile ?? join(folder.path, 'raw.json');
  // It is followed from its start, so an earlier run's must not be taken for this one's.
  rmSync(rawFile, { force: true });
  const run = createRawRun();
  const reader = createRawReader(run, rawFile);
  const ended = await runK6({
    k6: options.k6,
    args: [
      'run',
      '--quiet',
      '--no-color',
      '--summary-mode=disabled',
      '--no-usage-report',
      // Its own API would take a port that another run may hold.
      '--address=',
      ...environmentArguments({ ...prepared.settings, TARGET: folder.target }),
      `--out=json=${rawFile}`,
      scenarioFile(prepared.plan),
    ],
    env: { ...options.env, ...prepared.portable.secrets, ...dashboardEnvironment(options.dashboard) },
    rawFile,
    onRaw: reader.push,
    onTick: () => options.onProgress?.(run),
  });
  reader.end();
  const verdict = judgeRun(run, prepared.plan, { doubts: doubtsOf(ended) });
  const context: ReportContext = { kit: options.kit, scenario: prepared.plan.name, target: prepared.target.baseUrl };
  return reportOf(run, verdict, context);
}

/** k6's dashboard without its web server; a short period, because many runs are short. */
function dashboardEnvironment(file: string | undefined): Record<string, string> {
  if (file === undefined) return {};
  return {
    K6_WEB_DASHBOARD: 'true',
    K6_WEB_DASHBOARD_EXPORT: file,
    K6_WEB_DASHBOARD_PORT: '-1',
    K6_WEB_DASHBOARD_PERIOD: '1s',
  };
}
