import { type Command, Option } from 'commander';
import type { Chosen } from '../../../conformance/run/run.ts';
import { ConfigurationError } from '../../../spec/files/configuration-error.ts';
import { positiveInteger } from '../../option-values.ts';

/** What the options below parse to. */
export interface SelectionFlags {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly tag: readonly string[];
  readonly onlyFailed?: string;
}

/** What the run may do, and how much. */
export type ChosenFlags = Omit<Chosen, 'rules'>;

export interface TargetFlag {
  readonly target?: string;
}

/** `--only --skip --tag`, each repeatable and with commas. */
export function addFilterOptions(command: Command): Command {
  return command
    .addOption(list('--only <ids>', 'all', 'only these laws: ids of laws or rules, or their beginnings (labels)'))
    .addOption(list('--skip <ids>', 'none', 'all but these laws, such as limits, whose checks exhaust a key'))
    .addOption(list('--tag <tags>', 'any', 'only laws with one of these tags: an area, must, should, documented'))
    .option('--only-failed <report>', 'only laws that this JSON report calls failed, inconclusive or an error');
}

/** The filters, and what must be allowed before it is done. */
export function addSelectionOptions(command: Command): Command {
  return addFilterOptions(command)
    .option('--read-only', 'write nothing')
    .option('--allow-leftovers', 'let checks register files, which the API cannot delete')
    .option('--allow-risk', 'let checks put data at risk that a wrong deployment could lose for good; see `plan`')
    .option('--allow-hooks', 'run the commands of the target file, for changes that only the product can make')
    .option('--slow', 'bring about situations that take more than five minutes')
    .option('--deep', 'repeat situations ten times, so that a fault that happens one time in ten is seen')
    .addOption(new Option('--repeat <number>', 'repeat situations so many times').argParser(positiveInteger));
}

export const addTargetOption = (command: Command): Command =>
  command.option('--target <file>', 'target file that describes the deployment');

/** Which laws judge, as the runner takes it. */
export async function selectionOf({ only, skip, tag, onlyFailed }: SelectionFlags) {
  const selection = { only, skip, tags: tag };
  if (onlyFailed === undefined) return selection;
  if (only.length > 0) throw new ConfigurationError(['--only and --only-failed: give one of them']);
  const { unsettledIn } = await import('../../../conformance/reports/earlier/unsettled-in.ts');
  return { ...selection, only: unsettledIn(onlyFailed) };
}

/** What is done, as the runner takes it. */
export const chosenOf = ({ readOnly, allowLeftovers, allowRisk, allowHooks, slow, deep, repeat }: ChosenFlags) => ({
  readOnly: readOnly ?? false,
  allowLeftovers: allowLeftovers ?? false,
  allowRisk: allowRisk ?? false,
  allowHooks: allowHooks ?? false,
  slow: slow ?? false,
  deep: deep ?? false,
  ...(repeat !== undefined && { repeat }),
});

/** @throws ConfigurationError that says how to come by a target file */
export function requiredTarget({ target }: TargetFlag): string {
  if (target !== undefined) return target;
  throw new ConfigurationError([
    '--target FILE is missing: the target file describes the deployment; `partnerkit conformance init` writes one to fill in',
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
