import { type Command, Option } from 'commander';
import { positiveInteger } from '../../option-values.ts';
import {
  addSelectionOptions,
  addTargetOption,
  requiredTarget,
  type SelectionFlags,
  selectionOf,
  type TargetFlag,
} from './selection-options.ts';

interface PlanFlags extends SelectionFlags, TargetFlag {
  readonly budget?: number;
  readonly json?: boolean;
}

/** `partnerkit conformance plan`: every request that a run would send, without sending any. */
export function addPlanCommand(group: Command): void {
  const command = group.command('plan').description('print every request that a run would send; sends none');
  addSelectionOptions(addTargetOption(command))
    .addOption(
      new Option('--budget <number>', 'say so if there are more requests than this').argParser(positiveInteger),
    )
    .option('--json', 'print JSON')
    .action(print);
}

async function print(flags: PlanFlags): Promise<void> {
  const [{ checks, loadTarget }, { plan, planText }, { assertKnownSelection }] = await Promise.all([
    import('../../../conformance/index.ts'),
    import('../../../conformance/plan.ts'),
    import('../../../conformance/validate-selection.ts'),
  ]);
  const selection = selectionOf(flags);
  assertKnownSelection(selection, checks);
  const planned = await plan(loadTarget(requiredTarget(flags)), { ...selection, checks });
  process.stdout.write(flags.json ? `${JSON.stringify(planned, null, 2)}\n` : planText(planned, flags.budget));
}
