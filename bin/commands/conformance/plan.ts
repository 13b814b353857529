import type { Command } from 'commander';
import { positiveInteger } from '../../option-values.ts';
import {
  addSelectionOptions,
  addTargetOption,
  type ChosenFlags,
  chosenOf,
  requiredTarget,
  type SelectionFlags,
  selectionOf,
  type TargetFlag,
} from './selection-options.ts';

interface PlanFlags extends SelectionFlags, ChosenFlags, TargetFlag {
  readonly budget?: number;
  readonly json?: boolean;
}

/** `partnerkit conformance plan`: lists the requests that a run would send, without sending any. */
export function addPlanCommand(group: Command): void {
  const command = group.command('plan').description('print every request that a run would send; sends none');
  addSelectionOptions(addTargetOption(command))
    .option('--budget <number>', 'warn if there are more requests than this', positiveInteger)
    .option('--json', 'print JSON')
    .action(print);
}

async function print(flags: PlanFlags): Promise<void> {
  const [{ laws, loadTarget }, { plan, planText }, { assertKnownSelection, rulesOf }] = await Promise.all([
    import('../../../conformance/index.ts'),
    import('../../../conformance/run/plan.ts'),
    import('../../../conformance/verdict/selection.ts'),
  ]);
  const selection = await selectionOf(flags);
  assertKnownSelection(selection, laws);
  const planned = await plan(loadTarget(requiredTarget(flags)), { ...chosenOf(flags), ...rulesOf(laws, selection) });
  process.stdout.write(flags.json ? `${JSON.stringify(planned, null, 2)}\n` : planText(planned, flags.budget));
}
