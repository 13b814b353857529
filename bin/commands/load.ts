import { resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { installK6 } from '../../load/install-k6.ts';
import { cacheFolder, findK6 } from '../../load/run/find-k6.ts';
import { addLoadDiffCommand, addLoadJudgeCommand } from './load/judge.ts';
import { addLoadArchiveCommand, addLoadManifestCommand } from './load/pack.ts';
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
}

const help = `\nK6_RELEASES=https://mirror.example/k6 names a mirror of https://github.com/grafana/k6/releases/download.

Example:
  partnerkit load install-k6`;

/** `partnerkit load install-k6`: installs k6 where there is none. */
function addLoadInstallK6Command(load: Command): void {
  load
    .command('install-k6')
    .description('install k6 where there is none: its release, or a build with Go')
    .option('--into <folder>', 'where to put it; default: a folder in which load run looks')
    .addHelpText('after', help)
    .action(async ({ into }) => {
      const found = await findK6().catch(() => undefined);
      if (found !== undefined) {
        process.stdout.write(`k6 ${found.version} is at ${found.path}; there is nothing to install\n`);
        return;
      }
      const say = (text: string) => void process.stderr.write(`${text}\n`);
      const folder = into === undefined ? cacheFolder(process.env) : resolve(into);
      const path = await installK6({ env: process.env, into: folder, say });
      process.stdout.write(`k6 is at ${path}${into === undefined ? '' : `; set K6_PATH=${path} for load run`}\n`);
    });
}
