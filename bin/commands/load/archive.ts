import { resolve } from 'node:path';
import type { Command } from 'commander';
import { findK6 } from '../../../load/run/find-k6.ts';
import { archiveWithK6 } from '../../../load/run/k6-process.ts';
import { prepareRun } from '../../../load/run/prepare-run.ts';
import { readYamlFile } from '../../../spec/files/yaml-file.ts';
import { packageRoot } from '../../../spec/package-facts.ts';
import { commandLine } from '../../../spec/text/shell-quoted.ts';
import { assertWritable } from '../../output/publish.ts';
import { requiredTarget } from '../conformance/options.ts';
import { addPrepareOptions, choicesOf, type PrepareFlags } from './flags.ts';

/** `partnerkit load archive`: packs a scenario and its target, without secrets, for k6 on other machines. */
export function addLoadArchiveCommand(load: Command): void {
  addPrepareOptions(
    load
      .command('archive')
      .description('pack a scenario and its target, without secrets, for a plain k6, here or on other machines')
      .argument('<scenario>', 'name of the scenario; see load run --list'),
  )
    .option('--out <file>', 'archive to write; default: SCENARIO.tar')
    .addHelpText('after', '\nExample:\n  partnerkit load archive fleet --target target.yaml --out fleet.tar')
    .action(async (scenario: string, flags: PrepareFlags & { readonly out?: string }) => {
      const { out = `${scenario}.tar` } = flags;
      const prepared = prepareRun(readYamlFile(requiredTarget(flags)), scenario, choicesOf(flags));
      const { env } = process;
      const k6 = await findK6({ env, root: packageRoot() });
      await assertWritable([], [out]);
      await archiveWithK6(prepared, { k6: k6.path, env, file: resolve(out) });
      const { variables } = prepared;
      const needs = variables.length > 0 ? ` (it reads ${variables.join(', ')} from the environment)` : '';
      const how = commandLine(['k6', 'run', '--out', 'json=results.json', out]);
      process.stdout.write(`${out}: run it with: ${how}${needs}\n`);
    });
}
