import { type Command, Option, type OptionValues } from '@commander-js/extra-typings';
import { formatNames } from '../../../conformance/reports/report-files.ts';
import { ConfigurationError } from '../../../spec/files/configuration-error.ts';
import { duration, type FlagsOf, parser, positiveInteger, repeatable } from '../../option-values.ts';
import { reportOption } from '../report-option.ts';

export const targetOption = () => new Option('--target <file>', 'target file that describes the deployment');

export const journalOption = () =>
  new Option('--journal <folder>', 'folder of the journal that keeps writes until they are undone').default(
    '.partnerkit' as string,
  );

/** `--only --skip`, each repeatable and with commas. */
export const addFilterOptions = <Args extends unknown[], Others extends OptionValues>(command: Command<Args, Others>) =>
  command
    .addOption(repeatable('--only <ids>', 'only these rules: ids, how they start, or must, documented', words, 'all'))
    .addOption(repeatable('--skip <ids>', 'all rules except these, such as limits, which use up a key', words))
    .option(
      '--only-failed <report>',
      'only rules that failed, were inconclusive, had an error, or were cut off in this JSON report',
    );

/** The target, the filters, and what the run is allowed to do, and how much. */
export const addPerformOptions = <Args extends unknown[], Others extends OptionValues>(
  command: Command<Args, Others>,
) =>
  addFilterOptions(command.addOption(targetOption()))
    .option('--read-only', 'write nothing')
    .option('--allow-leftovers', 'allow checks that register files, which the API cannot delete')
    .option('--allow-risk', 'allow checks in which a wrong deployment could lose data for good; see --dry-run')
    .option('--allow-hooks', 'run the commands of the target file, which make changes in the product')
    .option('--slow', 'include scripts that take more than five minutes')
    .option('--repeat <number>', 'repeat scripts so often: ten find what happens one time in ten', positiveInteger)
    .option('--timeout <duration>', 'the longest time for one request, such as 30s', duration)
    .option('--max-duration <duration>', 'end the run within this time, of which ten seconds are for undoing', duration)
    .addOption(journalOption());

/** What makes a verdict of a history, and where it is written. */
export const addJudgeOptions = <Args extends unknown[], Others extends OptionValues>(command: Command<Args, Others>) =>
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

export const date = parser('a date such as 2026-12-31', (text) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined,
);

const performOptions = (command: Command) => addPerformOptions(command);
/** What a run is allowed to do. */
export type PerformFlags = FlagsOf<typeof performOptions>;

const judgeOptions = (command: Command) => addJudgeOptions(addFilterOptions(command));
/** How a history is judged, and where the verdict is written. */
export type JudgeFlags = FlagsOf<typeof judgeOptions>;
