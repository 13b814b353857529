import type { Command } from 'commander';
import type { ReportFile } from '../../../conformance/reports/report-files.ts';
import type { Report } from '../../../conformance/reports/report-schema.ts';
import type { Target } from '../../../spec/files/target.ts';
import { assertWritable, publish } from '../../output/publish.ts';
import { reportOption } from '../report-option.ts';
import { addPublishOptions, type PublishFlags, publishRun } from './publish-option.ts';
import { addPerformOptions, type PerformFlags, perform, withExitCodes } from './running/perform.ts';
import { chosenOf, requiredTarget, selectionOf } from './selection-options.ts';

interface RunFlags extends PerformFlags, PublishFlags {
  readonly dryRun?: boolean;
  readonly history?: string;
  readonly allowNotRun?: boolean;
  readonly waivers?: string;
  readonly writeProfile?: string;
  readonly json?: boolean;
  readonly report: readonly ReportFile[];
}

/** `partnerkit conformance run`: checks a deployment, rule by rule. */
export function addRunCommand(group: Command): void {
  addPublishOptions(addPerformOptions(group.command('run').description('check a deployment, rule by rule')))
    .option('--dry-run', 'print every request that the run would send, and send none')
    .option('--history <file>', 'write every exchange as it happens, for `conformance judge`')
    .option('--allow-not-run', 'do not exit with 3 for laws that need more in the target file')
    .option('--waivers <file>', 'known failures, excused until a date; `conformance waivers` writes this file')
    .option('--write-profile <file>', 'write a profile: what this deployment does where the specification is silent')
    .option('--json', 'print the JSON report instead of text')
    .addOption(reportOption())
    .addHelpText('after', help)
    .action((flags: RunFlags) => withExitCodes(() => start(flags)));
}

const help = `
Exit codes: 0 conformant, 1 non-conformant (or a waiver is expired or no longer needed), 2 usage, configuration, or a
target file that does not match the deployment, 3 incomplete: something could not be judged, or the run was interrupted.

Examples:
  partnerkit conformance run --target staging.yaml --dry-run
  partnerkit conformance run --target staging.yaml --report html=conformance.html,junit=junit.xml`;

async function start(flags: RunFlags): Promise<void> {
  const [{ consoleReport, formats, loadTarget }, { paintFor }, files] = await Promise.all([
    import('../../../conformance/index.ts'),
    import('../../../conformance/reports/console.ts'),
    import('../../../conformance/reports/report-files.ts'),
  ]);
  const target = loadTarget(requiredTarget(flags));
  if (flags.dryRun) return printPlan(target, flags);
  const { allowNotRun = false, waivers, history, writeProfile } = flags;
  const more = [writeProfile, history];
  await assertWritable(flags.report, more);
  let unfinished: Report | undefined;
  const report = await perform(target, flags, {
    allowNotRun,
    ...(waivers !== undefined && { waivers }),
    ...(history !== undefined && { historyFile: history }),
    onError: (report) => {
      unfinished = report;
    },
  }).catch(async (error: unknown) => {
    if (unfinished !== undefined) await files.writeReports(unfinished, flags.report);
    throw error;
  });
  if (writeProfile !== undefined) await saveProfile(writeProfile, report, target);
  const text = flags.json ? formats.json(report) : consoleReport(report, paintFor(process.stdout));
  await publish(report, { text, files: flags.report, formats, more });
  await publishRun(report, flags);
}

async function printPlan(target: Target, flags: RunFlags): Promise<void> {
  const [{ laws }, { plan, planText }, { assertKnownSelection, rulesOf }] = await Promise.all([
    import('../../../conformance/index.ts'),
    import('../../../conformance/run/plan.ts'),
    import('../../../conformance/verdict/selection.ts'),
  ]);
  const selection = await selectionOf(flags);
  assertKnownSelection(selection, laws);
  const planned = await plan(target, { ...chosenOf(flags), ...rulesOf(laws, selection) });
  process.stdout.write(flags.json ? `${JSON.stringify(planned, null, 2)}\n` : planText(planned, flags.budget));
}

async function saveProfile(path: string, report: Report, target: Target): Promise<void> {
  const [{ writeProfile }, { profileOf }] = await Promise.all([
    import('../../../spec/files/profile.ts'),
    import('../../../conformance/profile.ts'),
  ]);
  writeProfile(path, profileOf(report, target));
}
