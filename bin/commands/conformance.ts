import type { Command } from 'commander';
import { addCleanupCommand } from './conformance/cleanup.ts';
import { addCompareCommand } from './conformance/compare.ts';
import { addExplainCommand } from './conformance/explain.ts';
import { addInitCommand } from './conformance/init.ts';
import { addJudgeCommand } from './conformance/judge.ts';
import { addListCommand } from './conformance/list.ts';
import { addPlanCommand } from './conformance/plan.ts';
import { addRenamedCommands } from './conformance/renamed.ts';
import { addReproduceCommand } from './conformance/reproduce.ts';
import { addRunCommand } from './conformance/run.ts';
import { addWaiversCommand } from './conformance/waivers.ts';

/** `partnerkit conformance ...`: checks whether a deployment keeps the contract, rule by rule. */
export function conformanceCommand(command: Command): void {
  addRunCommand(command);
  addPlanCommand(command);
  addJudgeCommand(command);
  addListCommand(command);
  addExplainCommand(command);
  addReproduceCommand(command);
  addCleanupCommand(command);
  addCompareCommand(command);
  addWaiversCommand(command);
  addInitCommand(command);
  addRenamedCommands(command);
}
