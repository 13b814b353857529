import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { RawRun } from '../../../load/verdict/raw-run.ts';
import { told } from '../conformance/running/told.ts';
import { addPrepareOptions, allowanceOf, type PrepareFlags } from './flags.ts';
import { assertReports, publish, type ReportFiles, reportsOption, writeReports } from './reports.ts';

interface RunFlags extends PrepareFlags {
  readonly report: ReportFiles;
  readonly raw?: string;
  readonly dashboard?: string;
  readonly quiet?: boolean;
}

/** `partnerkit load run`: runs a scenario against a deployment and judges it. */
export function addLoadRunCommand(load: Command): void {
  addPrepareOptions(
    load
      .command('run')
      .description('run a scenario and judge it')
      .argument('<scenario>', 'name of the scenario; see load list'),
  )
    .addOption(reportsOption())
    .option('--raw <file>', "keep k6's raw output, for load verdict")
    .option('--dashboard <file>', "write k6's own dashboard as a page")
    .option('--quiet', 'print no progress')
    .action((scenario: string, flags: RunFlags) => told(() => run(scenario, flags)));
}

async function run(scenario: string, flags: RunFlags): Promise<void> {
  const [{ findK6 }, { prepareRun }, { runScenario }, { describeTraffic }, { packageRoot, packageVersion }] =
    await Promise.all([
      import('../../../load/run/find-k6.ts'),
      import('../../../load/run/prepare-run.ts'),
      import('../../../load/run/run-scenario.ts'),
      import('../../../load/plan/refusals.ts'),
      import('../../../spec/package-facts.ts'),
    ]);
  const { target: file, key: keys = [], duration } = flags;
  const prepared = prepareRun({ scenario, file, keys, duration, allowance: allowanceOf(flags) }, process.env);
  const k6 = await findK6({ env: process.env, root: packageRoot() });
  await assertReports(flags.report);
  if (!flags.quiet) {
    process.stderr.write(
      `${scenario} against ${prepared.target.baseUrl}: ${describeTraffic(prepared.traffic)} (k6 ${k6.version})\n`,
    );
  }
  const { journaled } = await import('./journaled.ts');
  const report = await journaled(
    prepared,
    keys,
    () =>
      runScenario(prepared, {
        k6: k6.path,
        env: process.env,
        rawFile: flags.raw && resolve(flags.raw),
        dashboard: flags.dashboard && resolve(flags.dashboard),
        kit: packageVersion(),
        ...(!flags.quiet && { onProgress: progress(prepared.traffic.requests) }),
      }),
    file,
  );
  if (!flags.quiet && process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  if (report.outcome === 'cannot-tell' && report.sentence.includes('refused with 403')) {
    const { assertTrueTarget } = await import('./assert-true-target.ts');
    await writeReports(report, flags.report);
    await assertTrueTarget(prepared.target, packageVersion());
  }
  await publish(report, flags.report);
}

/** On a terminal, one line that is rewritten. Elsewhere, a line every ten seconds. */
function progress(planned: number): (run: RawRun) => void {
  let ticks = 0;
  return ({ requests, bins }) => {
    const sum = { admitted: 0, throttled: 0, unknown: 0 };
    for (const bin of bins.values()) {
      sum.admitted += bin.admitted;
      sum.throttled += bin.throttled;
      sum.unknown += bin.unknown;
    }
    const lost = sum.unknown > 0 ? `, ${sum.unknown} without a usable reply` : '';
    const line = `  ${requests} of ${planned} requests: ${sum.admitted} admitted, ${sum.throttled} throttled${lost}`;
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`);
    else if (ticks++ % 10 === 9) process.stderr.write(`${line}\n`);
  };
}
