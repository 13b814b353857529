import type { Command } from 'commander';
import { positive } from '../../option-values.ts';
import { assertReports, publish, type ReportFiles, reportsOption } from './reports.ts';

/** `partnerkit load verdict`: judges k6's raw output again, without sending anything. */
export function addLoadVerdictCommand(load: Command): void {
  load
    .command('verdict')
    .description("judge k6's raw output (k6 run --out json=FILE); files of several machines are merged")
    .argument('<files...>', 'raw output, plain or .gz')
    .addOption(reportsOption())
    .option(
      '--skew-ms <number>',
      "how far the machines' clocks may differ from a common one; default: estimated from the server's Date headers",
      positive,
    )
    .action(async (files: string[], { report, skewMs }: { readonly report: ReportFiles; readonly skewMs?: number }) => {
      const [{ judgeFiles }, { packageVersion }] = await Promise.all([
        import('../../../load/run/judge-files.ts'),
        import('../../../spec/package-facts.ts'),
      ]);
      await assertReports(report);
      await publish(await judgeFiles(files, { kit: packageVersion(), skewMs }), report);
    });
}
