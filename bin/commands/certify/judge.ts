import type { Command } from 'commander';
import type { WantedFile } from '../../../conformance/reports/report-files.ts';
import type { ClientReportFormat } from '../../certify/report/client-formats.ts';
import { reportOption } from '../report-option.ts';
import { clientReportFormats } from './client-report-formats.ts';
import { publish } from './publish.ts';

interface JudgeFlags {
  readonly only?: readonly string[];
  readonly strict?: boolean;
  readonly json?: boolean;
  readonly report: readonly WantedFile<ClientReportFormat>[];
}

/** `partnerkit certify judge`: judges the duties of a client by a recording of its requests. */
export function addJudgeCommand(group: Command): void {
  group
    .command('judge')
    .argument('<recording>', 'a HAR file, or the reply of GET /_mock/journal?limit=1000')
    .description('judge a client by a recording of its requests; runs nothing')
    .option('--only <ids...>', 'only these duties, by their ids')
    .option('--strict', 'do not certify a client with warnings')
    .option('--json', 'print the JSON report instead of text')
    .addOption(reportOption(clientReportFormats))
    .addHelpText('after', '\nExample:\n  partnerkit certify judge exchanges.har --report html=client.html')
    // The group has options of the same names, so all options are read together.
    .action((file: string, _: unknown, command: Command) => start(file, command.optsWithGlobals()));
}

async function start(file: string, flags: JudgeFlags): Promise<void> {
  const [{ duties }, { judgeDuty }, { clientReportOf }, { readRecording }, files, { chosenBy }] = await Promise.all([
    import('../../certify/duties/index.ts'),
    import('../../certify/findings.ts'),
    import('../../certify/report/client-report-of.ts'),
    import('../../certify/recordings/read-recording.ts'),
    import('../../../conformance/reports/report-files.ts'),
    import('../../certify/selection.ts'),
  ]);
  await files.assertWritable(flags.report.map(({ path }) => path));
  const startedAt = new Date();
  const chosen = chosenBy(flags.only ?? []);
  const traffic = [readRecording(file)];
  const results = duties
    .filter(({ rule }) => chosen.duty(rule))
    .map((duty) => ({ ...judgeDuty(duty, traffic), again: null }));
  const report = clientReportOf({
    subject: file,
    startedAt,
    finishedAt: new Date(),
    runs: 0,
    traffic,
    results,
    notes: [],
    strict: flags.strict ?? false,
  });
  await publish(report, flags);
}
