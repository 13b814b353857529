import type { Command } from 'commander';
import { addLoadArchiveCommand } from './load/archive.ts';
import { addLoadDiffCommand } from './load/diff.ts';
import { addLoadInstallK6Command } from './load/install-k6.ts';
import { addLoadJudgeCommand } from './load/judge.ts';
import { addLoadListCommand } from './load/list.ts';
import { addLoadManifestCommand } from './load/manifest.ts';
import { addLoadRunCommand } from './load/run.ts';
import { addLoadVerdictCommand } from './load/verdict.ts';

/** `partnerkit load`: judges the rate limit of a deployment with k6 scenarios. */
export function loadCommand(command: Command): void {
  command.addHelpText(
    'after',
    '\nExit codes: 0 keeps the contract, 1 breaks it, 2 usage or configuration, 3 could not tell.\n\nExample:\n  partnerkit load run overload --target target.yaml',
  );
  addLoadRunCommand(command);
  addLoadListCommand(command);
  addLoadVerdictCommand(command);
  addLoadJudgeCommand(command);
  addLoadDiffCommand(command);
  addLoadArchiveCommand(command);
  addLoadManifestCommand(command);
  addLoadInstallK6Command(command);
}
