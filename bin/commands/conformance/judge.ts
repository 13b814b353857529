import type { Command } from 'commander';
import type { ReportFile } from '../../../conformance/reports/report-files.ts';
import { assertWritable, publish } from '../../output/publish.ts';
import { reportOption } from '../report-option.ts';
import { addPublishOptions, type PublishFlags, publishRun } from './publish-option.ts';
import { addFilterOptions, type SelectionFlags, selectionOf } from './selection-options.ts';

interface JudgeFlags extends SelectionFlags, PublishFlags {
  readonly allowNotRun?: boolean;
  readonly waivers?: string;
  readonly json?: boolean;
  readonly report: readonly ReportFile[];
}

/** `partnerkit conformance judge`: judges an earlier run again, without a network. */
export function addJudgeCommand(group: Command): void {
  const command = group
    .command('judge')
    .argument('<history>', 'file that `conformance run --history` has written')
    .description('judge the history of a run again; sends nothing');
  addPublishOptions(addFilterOptions(command))
    .option('--allow-not-run', 'do not exit with 3 for laws that need more in the target file')
    .option('--waivers <file>', 'known failures, excused until a date')
    .option('--json', 'print the JSON report instead of text')
    .addOption(reportOption())
    .addHelpText('after', '\nExample:\n  partnerkit conformance judge run.jsonl --report html=conformance.html')
    .action(start);
}

async function start(file: string, flags: JudgeFlags): Promise<void> {
  await assertWritable(flags.report);
  const [{ consoleReport, formats, judge }, { paintFor }, { readHistory }] = await Promise.all([
    import('../../../conformance/index.ts'),
    import('../../../conformance/reports/console.ts'),
    import('../../../conformance/history/history-file.ts'),
  ]);
  const { allowNotRun = false, waivers } = flags;
  const report = judge(readHistory(file), {
    ...(await selectionOf(flags)),
    allowNotRun,
    ...(waivers !== undefined && { waivers }),
  });
  const text = flags.json ? formats.json(report) : consoleReport(report, paintFor(process.stdout));
  await publish(report, { text, files: flags.report, formats });
  await publishRun(report, flags);
}
