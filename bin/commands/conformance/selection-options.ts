import { type Command, Option } from 'commander';
import { ConfigurationError } from '../../../spec/files/configuration-error.ts';

/** What the options below parse to; the names are those of the runner's `Selection`, but for `tag`. */
export interface SelectionFlags {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly tag: readonly string[];
  readonly readOnly?: boolean;
  readonly allowLeftovers?: boolean;
  readonly slow?: boolean;
}

export interface TargetFlag {
  readonly target?: string;
}

/** `--only --skip --tag --read-only`, each list repeatable and with commas. */
export function addFilterOptions(command: Command): Command {
  return command
    .addOption(list('--only <ids>', 'all', 'only these checks: ids, their beginnings (labels), or ids of rules'))
    .addOption(list('--skip <ids>', 'none', 'all but these checks'))
    .addOption(
      list(
        '--tag <tags>',
        'any',
        'only checks with one of these tags: an area, reads, writes, leftovers, slow, limits',
      ),
    )
    .option('--read-only', 'leave out every check that writes');
}

/** The filters, and what must be allowed before it is done. */
export function addSelectionOptions(command: Command): Command {
  return addFilterOptions(command)
    .option('--allow-leftovers', 'run checks that leave a file behind, which the API cannot delete')
    .option('--slow', 'run checks that take more than five minutes');
}

export const addTargetOption = (command: Command): Command =>
  command.option('--target <file>', 'target file that describes the deployment');

/** As the runner takes it. */
export const selectionOf = ({ only, skip, tag, readOnly, allowLeftovers, slow }: SelectionFlags) => ({
  only,
  skip,
  tags: tag,
  readOnly: readOnly ?? false,
  allowLeftovers: allowLeftovers ?? false,
  slow: slow ?? false,
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
