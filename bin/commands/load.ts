import type { Command } from 'commander';
import { addRenamed } from '../renamed.ts';
import { addLoadArchiveCommand } from './load/archive.ts';
import { addLoadDiffCommand } from './load/diff.ts';
import { addLoadInstallK6Command } from './load/install-k6.ts';
import { addLoadJudgeCommand } from './load/judge.ts';
import { addLoadManifestCommand } from './load/manifest.ts';
import { addLoadRunCommand } from './load/run.ts';

/** `partnerkit load`: judges the rate limit of a deployment with k6 scenarios. */
export function define(command: Command): void {
  command.addHelpText(
    'after',
    '\nExit codes: 0 keeps the contract, 1 breaks it, 2 usage or configuration, 3 could not tell.\n\nExample:\n  partnerkit load run overload --target target.yaml',
  );
  addLoadRunCommand(command);
  addLoadJudgeCommand(command);
  addLoadDiffCommand(command);
  addLoadArchiveCommand(command);
  addLoadManifestCommand(command);
  addLoadInstallK6Command(command);
  addRenamed(command, {
    list: 'load run --list',
    verdict: 'load judge FILE...',
    watch: 'load run, from a scheduled job of CI: load/README.md has one',
  });
}
