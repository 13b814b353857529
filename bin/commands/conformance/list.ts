import type { Command } from 'commander';
import { addFilterOptions, type SelectionFlags, selectionOf } from './selection-options.ts';

interface ListFlags extends SelectionFlags {
  readonly json?: boolean;
}

/** `partnerkit conformance list`: lists all laws. */
export function addListCommand(group: Command): void {
  const command = group.command('list').description('list every law with its rule, level and provenance');
  addFilterOptions(command).option('--json', 'print JSON').action(print);
}

async function print(flags: ListFlags): Promise<void> {
  const [{ laws }, { assertKnownSelection, leftOut }, { describeLaw, lawTable }] = await Promise.all([
    import('../../../conformance/index.ts'),
    import('../../../conformance/verdict/selection.ts'),
    import('../../../conformance/verdict/describe.ts'),
  ]);
  const selection = await selectionOf(flags);
  assertKnownSelection(selection, laws);
  const shown = laws.filter((law) => leftOut(law, selection) === null).map(describeLaw);
  process.stdout.write(flags.json ? `${JSON.stringify(shown, null, 2)}\n` : lawTable(shown));
}
