import { type Command, Option, type OptionValues } from '@commander-js/extra-typings';
import { formatNames } from '../../../conformance/reports/report-files.ts';
import { ConfigurationError } from '../../../spec/files/configuration-error.ts';
import { duration, type FlagsOf, parser, repeatable } from '../../option-values.ts';
import { reportOption } from '../report-option.ts';

const targetOption = () => new Option('--target <file>', 'target file that describes the deployment');

export const journalOption = () =>
  new Option('--journal <folder>', 'folder of the journal that keeps writes until they are undone').default(
    '.partnerkit' as string,
  );

/** `--only --skip`, each repeatable and with commas. */
const addFilterOptions = <Args extends unknown[], Others extends OptionValues>(command: Command<Args, Others>) =>
  command
    .addOption(repeatable('--only <ids>', 'only these rules: ids, how they start, or must, documented', words, 'all'))
    .addOption(repeatable('--skip <ids>', 'all rules except these, such as limits, which use up a key', words))
    .option(
      '--only-failed <report>',
      'only rules that failed, were inconclusive, had an error, or were cut off in this JSON report',
    );

/** The target, the filters, and what the run is allowed to do, and how much. */
const addPerformOptions = <Args extends unknown[], Others extends OptionValues>(command: Command<Args, Others>) =>
  addFilterOptions(command.addOption(targetOption()))
    .option('--read-only', 'write nothing')
    .option('--allow-leftovers', 'allow checks that register files, which the API cannot delete')
    .option('--allow-risk', 'allow checks in which a wrong deployment could lose data for good; see --dry-run')
    .option('--allow-hooks', 'run the commands of the target file, which make changes in the product')
    .option('--slow', 'include scripts that take more than five minutes')
    .option('--timeout <duration>', 'the longest time for one request, such as 30s', duration)
    .option('--max-duration <duration>', 'end the run within this time, of which ten seconds are for undoing', duration)
    .addOption(journalOption());

/** What makes a verdict of a history, and where it is written. */
const addJudgeOptions = <Args extends unknown[], Others extends OptionValues>(command: Command<Args, Others>) =>
  command
    .option('--allow-not-run', 'do not exit with 3 for rules that need more in the target file')
    .option('--waivers <file>', 'known failures, excused until a date; `conformance waivers` writes this file')
    .option('--json', 'print the JSON report instead of text')
    .addOption(reportOption(formatNames))
    .option('--publish <folder>', 'add the report, its summary and badges to this folder, with an index of its runs')
    .option('--implementation <text>', 'name and version of what is judged, for --publish (default: its address)');

/** What stands between commas. */
const words = (text: string) => text.split(',').flatMap((word) => word.trim() || []);

/** @throws ConfigurationError that says how to get a target file */
export function requiredTarget({ target }: { readonly target?: string | undefined }): string {
  if (target !== undefined) return target;
  throw new ConfigurationError([
    '--target FILE is missing: the target file describes the deployment; `partnerkit init` writes one',
  ]);
}

const date = parser('a date such as 2026-12-31', (text) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined,
);

export const runOptions = (command: Command) =>
  addJudgeOptions(addPerformOptions(command.description('check a deployment, rule by rule')))
    .option('--dry-run', 'print every request that the run would send, and send none')
    .option('--history <file>', 'write every exchange as it happens, for `conformance judge`')
    .option('--write-profile <file>', 'write what this deployment does where the specification is silent')
    .addHelpText('after', help.run);
export type RunFlags = FlagsOf<typeof runOptions>;

export const judgeOptions = (command: Command) =>
  addJudgeOptions(addFilterOptions(command))
    .argument('<history>', 'file that `conformance run --history` has written')
    .description('judge the history of a run again; sends nothing')
    .addHelpText('after', '\nExample:\n  partnerkit conformance judge run.jsonl --report html=conformance.html');
export type JudgeFlags = FlagsOf<typeof judgeOptions>;

export const reproduceOptions = (command: Command) =>
  addPerformOptions(command)
    .argument('<report>', 'JSON report of the run that failed')
    .argument('<rule>', 'id of the rule that failed, as the report shows it')
    .description('send exactly the requests that a report shows for a failure again, in seconds')
    .addHelpText('after', help.reproduce);
export type PerformFlags = FlagsOf<typeof reproduceOptions>;

export const cleanupOptions = (command: Command) =>
  command
    .description('undo the changes that a killed run has left')
    .addOption(targetOption())
    .option('--timeout <duration>', 'the longest time for one request, such as 30s', duration)
    .addOption(journalOption())
    .option('--allow-hooks', 'run the commands of the target file that undo changes in the product')
    .addHelpText('after', '\nExample:\n  partnerkit conformance cleanup --target target.yaml');
export type CleanupFlags = FlagsOf<typeof cleanupOptions>;

export const compareOptions = (command: Command) =>
  addPerformOptions(command)
    .argument('<earlier>', 'JSON report of an earlier run, or a profile that `run --write-profile` has written')
    .argument('[later]', 'JSON report or profile of the later run; without it, --target is run against now')
    .description('compare with an earlier run; exits with 1 if something got worse, or an answer changed')
    .option('--allow-not-run', 'do not exit with 3 if some recorded answers were not seen this time')
    .addHelpText('after', help.compare);
export type CompareFlags = FlagsOf<typeof compareOptions>;

export const waiverOptions = (command: Command) =>
  command
    .argument('<report>', 'JSON report of the run with the known failures')
    .argument('[file]', 'file to write', 'waivers.yaml')
    .description('excuse the failures of a run until a date: write a waiver for each, for `run --waivers`')
    .requiredOption('--owner <name>', 'who is responsible for fixing the failures')
    .option('--reason <text>', 'why the failures are accepted for now', 'known when waivers were introduced')
    .addOption(
      new Option('--expires <date>', 'last day on which the failures are excused')
        .default(new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10), 'in 30 days')
        .argParser(date),
    )
    .option('--force', 'overwrite the file if it exists')
    .addHelpText('after', '\nExample:\n  partnerkit conformance waivers report.json --owner dana');
export type WaiverFlags = FlagsOf<typeof waiverOptions>;

const help = {
  run: `
Exit codes: 0 conformant, 1 non-conformant (or a waiver is expired or no longer needed), 2 usage, configuration, or a
target file that does not match the deployment, 3 incomplete: something could not be judged, or the run was interrupted.

Examples:
  partnerkit conformance run --target staging.yaml --dry-run
  partnerkit conformance run --target staging.yaml --report html=conformance.html,junit=junit.xml`,
  reproduce: `
Exit codes: 0 the failure was not seen again, 1 it was, 2 usage or configuration, 3 what was sent cannot tell.
What cannot be told in a few requests, such as a limiter, is tried by all its scripts.

Example:
  partnerkit conformance reproduce report.json labels/apply-adds --target staging.yaml`,
  compare: `
Exit codes: 0 nothing got worse, 1 a law got worse or an answer where the specification is silent has changed, 2 usage or
configuration, 3 nothing has changed, but some answers of an earlier profile were not seen.

Examples:
  partnerkit conformance compare earlier.json later.json
  partnerkit conformance compare staging.profile.yaml --target staging.yaml`,
};
