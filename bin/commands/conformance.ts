import type { Command } from 'commander';
import { addRenamed } from '../renamed.ts';
import { addCleanupCommand } from './conformance/cleanup.ts';
import { addCompareCommand } from './conformance/compare.ts';
import { addJudgeCommand } from './conformance/judge.ts';
import { addReproduceCommand } from './conformance/reproduce.ts';
import { addRunCommand } from './conformance/run.ts';
import { addWaiversCommand } from './conformance/waivers.ts';

/** `partnerkit conformance ...`: checks whether a deployment keeps the contract, rule by rule. */
export function define(command: Command): void {
  command.addHelpText('after', '\nExample:\n  partnerkit conformance run --target target.yaml');
  addRunCommand(command);
  addJudgeCommand(command);
  addReproduceCommand(command);
  addCleanupCommand(command);
  addCompareCommand(command);
  addWaiversCommand(command);
  addRenamed(command, {
    init: 'init FILE',
    plan: 'conformance run --dry-run',
    list: 'rules',
    explain: 'rules ID',
    diff: 'conformance compare EARLIER LATER',
    drift: 'conformance compare PROFILE --target FILE',
    replay: 'conformance reproduce REPORT RULE --target FILE',
  });
}
