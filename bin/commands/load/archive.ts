import { accessSync, constants } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { ConfigurationError } from '../../../spec/files/configuration-error.ts';
import { fileProblem } from '../../../spec/files/file-problem.ts';
import { commandLine } from '../../../spec/text/shell-quoted.ts';
import { addPrepareOptions, allowanceOf, type PrepareFlags } from './flags.ts';

/** `partnerkit load archive`: packs a scenario and its target, without secrets, for k6 on other machines. */
export function addLoadArchiveCommand(load: Command): void {
  addPrepareOptions(
    load
      .command('archive')
      .description('pack a scenario and its target, without secrets, for k6 on other machines')
      .argument('<scenario>', 'name of the scenario; see load list'),
  )
    .option('--out <file>', 'archive to write; default: SCENARIO.tar')
    .action(async (scenario: string, flags: PrepareFlags & { readonly out?: string }) => {
      const [{ findK6 }, { prepareRun }, { writeArchive }, { packageRoot }] = await Promise.all([
        import('../../../load/run/find-k6.ts'),
        import('../../../load/run/prepare-run.ts'),
        import('../../../load/run/write-archive.ts'),
        import('../../../spec/package-facts.ts'),
      ]);
      const { target: file, key: keys = [], duration, out = `${scenario}.tar` } = flags;
      const prepared = prepareRun({ scenario, file, keys, duration, allowance: allowanceOf(flags) }, process.env);
      const k6 = await findK6({ env: process.env, root: packageRoot() });
      assertWritable(resolve(out), out);
      await writeArchive(prepared, { k6: k6.path, file: resolve(out) });
      const { variables } = prepared.portable;
      process.stdout.write(
        `${out}: run it with: ${commandLine(['k6', 'run', out])}${variables.length > 0 ? ` (it reads ${variables.join(', ')} from the environment)` : ''}\n`,
      );
    });
}

/** @throws ConfigurationError if k6 could not write the archive */
function assertWritable(path: string, named: string): void {
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw new ConfigurationError([`--out ${named}: ${fileProblem(error, 'written')}`]);
  }
}
