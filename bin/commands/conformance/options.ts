import { type Command, Option, type OptionValues } from '@commander-js/extra-typings';
import type { Ticket } from '../../../conformance/index.ts';
import { ConfigurationError } from '../../../spec/files/configuration-error.ts';
import { duration, positiveInteger } from '../../option-values.ts';
import { reportFormats, reportOption } from '../report-option.ts';

export const targetOption = () => new Option('--target <file>', 'target file that describes the deployment');

export const journalOption = () =>
  new Option('--journal <folder>', 'folder of the journal that keeps writes until they are undone').default(
    '.partnerkit' as string,
  );

/** `--only --skip`, each repeatable and with commas. */
export const addFilterOptions = <Args extends unknown[], Others extends OptionValues>(command: Command<Args, Others>) =>
  command
    .addOption(
      list('--only <ids>', 'all', 'only these rules: ids, how they start, such as labels, or must, documented'),
    )
    .addOption(list('--skip <ids>', 'none', 'all rules except these, such as limits, which uses up the limit of a key'))
    .option('--only-failed <report>', 'only rules that failed, were inconclusive or had an error in this JSON report');

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
    .option(
      '--repeat <number>',
      'repeat scripts this many times: ten find faults that happen one time in ten',
      positiveInteger,
    )
    .option('--timeout <duration>', 'the longest time for one request, such as 30s', duration)
    .option('--budget <number>', 'send no more requests than this', positiveInteger)
    .option(
      '--max-duration <duration>',
      'end the run within this time, its last ten seconds kept for undoing; if rules were not judged, the run is incomplete',
      duration,
    )
    .addOption(journalOption());

/** What makes a verdict of a history, and where it is written. */
export const addJudgeOptions = <Args extends unknown[], Others extends OptionValues>(command: Command<Args, Others>) =>
  command
    .option('--allow-not-run', 'do not exit with 3 for rules that need more in the target file')
    .option('--waivers <file>', 'known failures, excused until a date; `conformance waivers` writes this file')
    .option('--json', 'print the JSON report instead of text')
    .addOption(reportOption(reportFormats))
    .option('--publish <folder>', 'add the report, its summary and badges to this folder, with an index of its runs')
    .option('--implementation <text>', 'name and version of what is judged, for --publish (default: its address)');

const list = <const Name extends string>(flags: Name, preset: string, description: string) =>
  new Option(flags, description)
    .default([], preset)
    .argParser((value: string, before: readonly string[]): readonly string[] => [
      ...before,
      ...value.split(',').flatMap((word) => word.trim() || []),
    ]);

/** @throws ConfigurationError that says how to get a target file */
export function requiredTarget({ target }: { readonly target?: string | undefined }): string {
  if (target !== undefined) return target;
  throw new ConfigurationError([
    '--target FILE is missing: the target file describes the deployment; `partnerkit init` writes one',
  ]);
}

export const anotherRun = ({ pid, host, since }: Ticket): string =>
  `Another run on the same records, process ${pid} of ${host}, is going on since ${since}`;
