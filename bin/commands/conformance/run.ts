import { type Command, Option } from 'commander';
import type { ReportFile } from '../../../conformance/reports/report-files.ts';
import type { Target } from '../../../spec/files/target.ts';
import { duration, positiveInteger } from '../../option-values.ts';
import { interruption } from './interruption.ts';
import { reportOption } from './report-option.ts';
import {
  addSelectionOptions,
  addTargetOption,
  type ChosenFlags,
  chosenOf,
  requiredTarget,
  type SelectionFlags,
  selectionOf,
  type TargetFlag,
} from './selection-options.ts';
import { told } from './told.ts';

interface RunFlags extends SelectionFlags, ChosenFlags, TargetFlag {
  readonly timeout?: number;
  readonly budget?: number;
  readonly maxDuration?: number;
  readonly history?: string;
  readonly allowNotRun?: boolean;
  readonly waivers?: string;
  readonly writeProfile?: string;
  readonly json?: boolean;
  readonly report: readonly ReportFile[];
  readonly journal: string;
}

/** `partnerkit conformance run`: grades a deployment, rule by rule. */
export function addRunCommand(group: Command): void {
  const command = group.command('run').description('check a deployment, rule by rule');
  addSelectionOptions(addTargetOption(command))
    .addOption(new Option('--timeout <duration>', 'what one request may take, such as 30s').argParser(duration))
    .addOption(new Option('--budget <number>', 'send no more requests than this').argParser(positiveInteger))
    .addOption(
      new Option(
        '--max-duration <duration>',
        'end tidily after this time; what is not judged then is incomplete',
      ).argParser(duration),
    )
    .option('--history <file>', 'write every exchange as it happens, for `conformance judge`')
    .option('--allow-not-run', 'what did not run for lack of something in the target file is no reason to exit with 3')
    .option('--waivers <file>', 'known failures that are excused until their date')
    .option('--write-profile <file>', 'write what this deployment does where the specification is silent')
    .option('--json', 'print the JSON report in place of text')
    .addOption(reportOption())
    .option('--journal <folder>', 'where writes are remembered until they are undone', '.partnerkit')
    .addHelpText('after', help)
    .action((flags: RunFlags) => told(() => start(flags)));
}

const help = `
Exit codes: 0 conformant, 1 non-conformant (or a waiver is expired or no longer needed), 2 usage, configuration, or a
target file that is not true, 3 incomplete: something could not be judged, or the run was interrupted.

Example:
  partnerkit conformance run --target staging.yaml --report html=conformance.html,junit=junit.xml`;

async function start(flags: RunFlags): Promise<void> {
  const [{ consoleReport, fileJournal, formats, loadTarget, runConformance }, { paintFor }, files, progressOn] =
    await Promise.all([
      import('../../../conformance/index.ts'),
      import('../../../conformance/reports/console.ts'),
      import('../../../conformance/reports/report-files.ts'),
      import('./progress.ts').then((module) => module.progressOn),
    ]);
  const target = loadTarget(requiredTarget(flags));
  const more = [flags.writeProfile, flags.history].filter((path) => path !== undefined);
  await files.assertWritable([...flags.report.map(({ path }) => path), ...more]);

  const progress = progressOn(process.stderr, paintFor(process.stderr));
  const journal = fileJournal(flags.journal, target.baseUrl);
  const pending = (await journal.pending()).length;
  if (pending > 0)
    progress.say(`Labels that an earlier run has left on: ${pending}. conformance cleanup takes them off.`);
  const { signal, stopListening } = interruption(() =>
    progress.say('Interrupted: taking labels off again. Once more ends at once.'),
  );
  const { timeout, budget, maxDuration, allowNotRun = false, waivers, history } = flags;
  const limit = maxDuration === undefined ? [] : [AbortSignal.timeout(maxDuration)];
  try {
    const report = await runConformance(target, {
      ...selectionOf(flags),
      ...chosenOf(flags),
      ...(timeout !== undefined && { timeout }),
      ...(budget !== undefined && { budget }),
      ...(waivers !== undefined && { waivers }),
      ...(history !== undefined && { historyFile: history }),
      allowNotRun,
      journal,
      signal: AbortSignal.any([signal, ...limit]),
      onStart: progress.onStart,
      onDone: progress.onDone,
    });
    progress.end();
    await files.writeReports(report, flags.report);
    if (flags.writeProfile !== undefined) await saveProfile(flags.writeProfile, report, target);
    process.stdout.write(flags.json ? formats.json(report) : consoleReport(report, paintFor(process.stdout)));
    process.exitCode = report.exitCode;
  } finally {
    progress.end();
    stopListening();
  }
}

/** What the target file already says of the operations belongs to the profile too: the mock has no other way to know it. */
async function saveProfile(
  path: string,
  report: { readonly profile: object; readonly startedAt: string; readonly kit: string },
  { baseUrl, operations }: Target,
): Promise<void> {
  const [{ parseProfile, writeProfile }, { patched }] = await Promise.all([
    import('../../../spec/files/profile.ts'),
    import('../../../conformance/profile-patch.ts'),
  ]);
  const said = { observed: { at: report.startedAt, target: baseUrl, kit: report.kit }, operations };
  writeProfile(path, patched(said, parseProfile(report.profile, 'what was observed')));
}
