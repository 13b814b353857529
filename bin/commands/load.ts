import type { Command } from 'commander';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { addLoadArchiveCommand } from './load/archive.ts';
import { addLoadDiffCommand } from './load/diff.ts';
import { addLoadInstallK6Command } from './load/install-k6.ts';
import { addLoadJudgeCommand } from './load/judge.ts';
import { addLoadListCommand } from './load/list.ts';
import { addLoadManifestCommand } from './load/manifest.ts';
import { addLoadRunCommand } from './load/run.ts';

/** `partnerkit load`: judges the rate limit of a deployment with k6 scenarios. */
export function loadCommand(command: Command): void {
  command.addHelpText(
    'after',
    '\nExit codes: 0 keeps the contract, 1 breaks it, 2 usage or configuration, 3 could not tell.\n\nExample:\n  partnerkit load run overload --target target.yaml',
  );
  addLoadRunCommand(command);
  addLoadListCommand(command);
  addLoadJudgeCommand(command);
  addLoadDiffCommand(command);
  addLoadArchiveCommand(command);
  addLoadManifestCommand(command);
  addLoadInstallK6Command(command);
  for (const [name, now] of Object.entries(renamed))
    command
      .command(name, { hidden: true })
      .allowUnknownOption()
      .allowExcessArguments()
      .action(() => {
        throw new ConfigurationError([`\`load ${name}\` is gone: ${now}`]);
      });
}

/** Commands of earlier versions, and what to use in their place. */
const renamed = {
  verdict: 'use `load judge FILE...`',
  watch: 'let a scheduled job of CI call `load run`; load/README.md has one',
} as const;
