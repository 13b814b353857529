import type { Command } from 'commander';
import { addFilterOptions, type SelectionFlags, selectionOf } from './selection-options.ts';

interface ListFlags extends SelectionFlags {
  readonly json?: boolean;
}

/** `partnerkit conformance list`: every check, with what it needs and whether it writes. */
export function addListCommand(group: Command): void {
  const command = group.command('list').description('list every check with its rule, level and needs');
  addFilterOptions(command).option('--json', 'print JSON').action(print);
}

async function print(flags: ListFlags): Promise<void> {
  const [{ checks }, { assertKnownSelection }, { leftOut }, { describeCheck, checkTable }] = await Promise.all([
    import('../../../conformance/index.ts'),
    import('../../../conformance/validate-selection.ts'),
    import('../../../conformance/selection.ts'),
    import('../../../conformance/describe-check.ts'),
  ]);
  const selection = { ...selectionOf(flags), allowLeftovers: true, slow: true };
  assertKnownSelection(selection, checks);
  const shown = checks.filter((check) => leftOut(check, selection) === null).map(describeCheck);
  process.stdout.write(flags.json ? `${JSON.stringify(shown, null, 2)}\n` : checkTable(shown));
}
