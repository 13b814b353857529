import { type Command, Option } from 'commander';
import type { Ticket } from '../../../conformance/index.ts';
import type { Chosen } from '../../../conformance/run/run.ts';
import { ConfigurationError } from '../../../spec/files/configuration-error.ts';
import { duration, positiveInteger } from '../../option-values.ts';

/** The parsed options that select laws. */
export interface SelectionFlags {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly tag: readonly string[];
  readonly onlyFailed?: string;
}

export interface TargetFlag {
  readonly target?: string;
}

/** The parsed options of every command that runs conformance. */
export interface PerformFlags extends SelectionFlags, TargetFlag, Omit<Chosen, 'rules'> {
  readonly timeout?: number;
  readonly budget?: number;
  readonly maxDuration?: number;
  readonly journal: string;
}

export const addTargetOption = (command: Command): Command =>
  command.option('--target <file>', 'target file that describes the deployment');

export const journalOption = () =>
  new Option('--journal <folder>', 'folder of the journal that keeps writes until they are undone').default(
    '.partnerkit',
  );

/** `--only --skip --tag`, each repeatable and with commas. */
export const addFilterOptions = (command: Command): Command =>
  command
    .addOption(list('--only <ids>', 'all', 'only these laws: ids of laws or rules, or how they start, such as labels'))
    .addOption(list('--skip <ids>', 'none', 'all laws except these, such as limits, which uses up the limit of a key'))
    .addOption(list('--tag <tags>', 'any', 'only laws with one of these tags: an area, must, should, documented'))
    .option('--only-failed <report>', 'only laws that failed, were inconclusive or had an error in this JSON report');

/** The target, the filters, and what the run is allowed to do, and how much. */
export const addPerformOptions = (command: Command): Command =>
  addFilterOptions(addTargetOption(command))
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
      'end the run within this time, its last ten seconds kept for undoing; if laws were not judged, the run is incomplete',
      duration,
    )
    .addOption(journalOption());

function list(flags: string, preset: string, description: string): Option {
  return new Option(flags, description)
    .default([], preset)
    .argParser((value: string, before: readonly string[]) => [
      ...before,
      ...value.split(',').flatMap((word) => word.trim() || []),
    ]);
}

/** @throws ConfigurationError that says how to get a target file */
export function requiredTarget({ target }: TargetFlag): string {
  if (target !== undefined) return target;
  throw new ConfigurationError([
    '--target FILE is missing: the target file describes the deployment; `partnerkit init` writes one',
  ]);
}

/** Runs a command. Reports a deployment that cannot be reached (exit 3) and a target file that does not match it (exit 2). */
export async function withExitCodes(run: () => Promise<void>): Promise<void> {
  const { PreflightError, UntrueTarget } = await import('../../../conformance/index.ts');
  try {
    await run();
  } catch (error) {
    if (!(error instanceof PreflightError || error instanceof UntrueTarget)) throw error;
    process.stderr.write(`partnerkit: ${error.message}\n`);
    process.exitCode = error instanceof UntrueTarget ? 2 : 3;
  }
}

export const anotherRun = ({ pid, host, since }: Ticket): string =>
  `Another run on the same records, process ${pid} of ${host}, is going on since ${since}`;
