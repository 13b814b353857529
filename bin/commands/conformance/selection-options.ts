import { type Command, Option } from 'commander';
import type { Chosen } from '../../../conformance/run/run.ts';
import { ConfigurationError } from '../../../spec/files/configuration-error.ts';
import { positiveInteger } from '../../option-values.ts';

/** The parsed options below. */
export interface SelectionFlags {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly tag: readonly string[];
  readonly onlyFailed?: string;
}

/** What the run is allowed to do, and how much. */
export type ChosenFlags = Omit<Chosen, 'rules'>;

export interface TargetFlag {
  readonly target?: string;
}

/** `--only --skip --tag`, each repeatable and with commas. */
export function addFilterOptions(command: Command): Command {
  return command
    .addOption(list('--only <ids>', 'all', 'only these laws: ids of laws or rules, or how they start, such as labels'))
    .addOption(list('--skip <ids>', 'none', 'all laws except these, such as limits, which uses up the limit of a key'))
    .addOption(list('--tag <tags>', 'any', 'only laws with one of these tags: an area, must, should, documented'))
    .option('--only-failed <report>', 'only laws that failed, were inconclusive or had an error in this JSON report');
}

/** The filters above, and permissions. */
export function addSelectionOptions(command: Command): Command {
  return addFilterOptions(command)
    .option('--read-only', 'write nothing')
    .option('--allow-leftovers', 'allow checks that register files, which the API cannot delete')
    .option('--allow-risk', 'allow checks in which a wrong deployment could lose data for good; see --dry-run')
    .option('--allow-hooks', 'run the commands of the target file, which make changes in the product')
    .option('--slow', 'include scripts that take more than five minutes')
    .option(
      '--repeat <number>',
      'repeat scripts this many times: ten find faults that happen one time in ten',
      positiveInteger,
    );
}

export const addTargetOption = (command: Command): Command =>
  command.option('--target <file>', 'target file that describes the deployment');

/** The selection of laws for the runner. */
export async function selectionOf({ only, skip, tag, onlyFailed }: SelectionFlags) {
  const selection = { only, skip, tags: tag };
  if (onlyFailed === undefined) return selection;
  if (only.length > 0) throw new ConfigurationError(['--only and --only-failed: give only one of them']);
  const { failedIn } = await import('../../../conformance/reports/read-report.ts');
  return { ...selection, only: failedIn(onlyFailed) };
}

/** The permissions for the runner. */
export const chosenOf = ({ readOnly, allowLeftovers, allowRisk, allowHooks, slow, repeat }: ChosenFlags) => ({
  readOnly: readOnly ?? false,
  allowLeftovers: allowLeftovers ?? false,
  allowRisk: allowRisk ?? false,
  allowHooks: allowHooks ?? false,
  slow: slow ?? false,
  ...(repeat !== undefined && { repeat }),
});

/** @throws ConfigurationError that says how to get a target file */
export function requiredTarget({ target }: TargetFlag): string {
  if (target !== undefined) return target;
  throw new ConfigurationError([
    '--target FILE is missing: the target file describes the deployment; `partnerkit init` writes one',
  ]);
}

function list(flags: string, preset: string, description: string): Option {
  return new Option(flags, description)
    .default([], preset)
    .argParser((value: string, before: readonly string[]) => [
      ...before,
      ...value.split(',').flatMap((word) => word.trim() || []),
    ]);
}
