import { resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { testRun } from '../../../load/k8s/test-run.ts';
import { defaultAllowance } from '../../../load/plan/traffic.ts';
import { findK6 } from '../../../load/run/find-k6.ts';
import { archiveWithK6 } from '../../../load/run/k6-process.ts';
import { prepareRun, type RunChoices } from '../../../load/run/prepare-run.ts';
import { scenarioPlan, scenarioPlans } from '../../../load/scenarios.ts';
import { ConfigurationError } from '../../../spec/files/configuration-error.ts';
import { readYamlFile } from '../../../spec/files/read-file.ts';
import { commandLine } from '../../../spec/text/shell-quoted.ts';
import { yamlText } from '../../../spec/text/yaml-text.ts';
import { duration, type FlagsOf, positive, positiveInteger, repeatable } from '../../option-values.ts';
import { assertWritable, writeOnce } from '../../output/publish.ts';
import { requiredTarget } from '../conformance/options.ts';

/** `partnerkit load manifest`: writes a TestRun for the k6-operator. */
export const addLoadManifestCommand = (load: Command) =>
  manifestOptions(load.command('manifest')).action(writeManifest);

const manifestOptions = (command: Command) =>
  command
    .description('write a TestRun of the k6-operator that runs an archive of load archive')
    .argument('<scenario>', 'name of the scenario; see load run --list')
    .requiredOption('--target <file>', 'target file of the archive, which says which secrets are needed')
    .option('--key <names...>', 'the keys of the archive, if it was packed with --key')
    .option('--parallelism <number>', 'k6 processes; default: 2, or 1 where there is one key', positiveInteger)
    .option('--results <claim>', 'volume claim for the raw output, for load judge')
    .option('--out <file>', 'file to write; default: standard output')
    .addHelpText('after', '\nExample:\n  partnerkit load manifest fleet --target target.yaml --parallelism 3');

function writeManifest(scenario: string, flags: FlagsOf<typeof manifestOptions>): void {
  if (scenarioPlan(scenario)?.kind !== 'limit') {
    const names = scenarioPlans.filter(({ kind }) => kind === 'limit').map(({ name }) => name);
    throw new ConfigurationError([`${scenario} cannot run on several machines; choose one of ${names.join(', ')}`]);
  }
  // A manifest only names variables, whose values are in the cluster. Unset ones get a placeholder here.
  const env = new Proxy(process.env, {
    get: (set, name) => set[String(name)] ?? 'https://placeholder.invalid',
  });
  const any = Number.POSITIVE_INFINITY;
  const { file: run, variables } = prepareRun({ ...Object(readYamlFile(flags.target)), tls: undefined }, scenario, {
    keys: flags.key ?? [],
    // What the run may send was checked when it was packed.
    allowance: { maxRps: any, maxRequests: any, yes: true, allowLeftovers: true },
    env,
    where: flags.target,
  });
  const vus = run.keys.length;
  const { parallelism = Math.min(2, vus) } = flags;
  if (parallelism > vus) {
    throw new ConfigurationError([
      `--parallelism ${parallelism}: ${scenario} drives ${vus} of the target's keys, each with one VU, and k6 cannot divide these among more processes; give ${vus} or less`,
    ]);
  }
  const manifest = testRun({ parallelism, scenario, variables, results: flags.results });
  // Pods on several nodes share a volume only if its access mode allows it; the others would wait for it without end.
  const needs = [
    `${parallelism} nodes that are free: each pod gets one of its own`,
    flags.results && `the claim ${flags.results} to be ReadWriteMany: every pod writes to it`,
  ];
  const notes = needs.flatMap((need) => (need && parallelism > 1 ? [`# needs ${need}\n`] : [])).join('');
  const text = `${notes}${yamlText(manifest)}`;
  if (flags.out === undefined) process.stdout.write(text);
  else {
    writeOnce(flags.out, text, true);
    process.stderr.write(notes);
  }
}

/** Adds the options for the target, the keys and the limits of a run. */
export const addPrepareOptions = (command: Command) =>
  command
    .option('--target <file>', 'target file, YAML or JSON, that describes the deployment')
    .addOption(repeatable('--key <name>', 'use this key of the first tenant; repeatable', (name) => [name]))
    .option('--duration <duration>', 'length of the main phase, such as 90s, 10m or 2h', seconds)
    .option('--max-rps <number>', 'refuse to send more requests in one second', positive, defaultAllowance.maxRps)
    .option('--max-requests <number>', 'refuse to send more requests in all', positive, defaultAllowance.maxRequests)
    .option('--yes', 'allow load on a host that is not this machine')
    .option('--allow-leftovers', 'allow files that the API cannot delete (scenario upload)');

/** What the options say of a run. */
export const choicesOf = ({ key, duration, ...limits }: FlagsOf<typeof addPrepareOptions>): RunChoices => {
  const { target, maxRps, maxRequests, yes = false, allowLeftovers = false } = limits;
  const allowance = { maxRps, maxRequests, yes, allowLeftovers };
  return { keys: key, duration, allowance, env: process.env, where: requiredTarget({ target }) };
};

/** k6 counts in seconds. */
const seconds = (value: string): number => duration(value) / 1000;

/** `partnerkit load archive`: packs a scenario and its target, without secrets, for k6 on other machines. */
export function addLoadArchiveCommand(load: Command): void {
  addPrepareOptions(load.command('archive'))
    .description('pack a scenario and its target, without secrets, for a plain k6, here or on other machines')
    .argument('<scenario>', 'name of the scenario; see load run --list')
    .option('--out <file>', 'archive to write; default: SCENARIO.tar')
    .addHelpText('after', '\nExample:\n  partnerkit load archive fleet --target target.yaml --out fleet.tar')
    .action(async (scenario, flags) => {
      const { out = `${scenario}.tar` } = flags;
      const prepared = prepareRun(readYamlFile(requiredTarget(flags)), scenario, choicesOf(flags));
      const { env } = process;
      const k6 = await findK6({ env });
      await assertWritable([], [out]);
      await archiveWithK6(prepared, { k6: k6.path, env, file: resolve(out) });
      const { variables } = prepared;
      const needs = variables.length > 0 ? ` (it reads ${variables.join(', ')} from the environment)` : '';
      const how = commandLine(['k6', 'run', '--out', 'json=results.json', out]);
      process.stdout.write(`${out}: run it with: ${how}${needs}\n`);
    });
}
