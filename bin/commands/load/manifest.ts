import { type Command, Option } from 'commander';
import { testRun } from '../../../load/k8s/test-run.ts';
import { prepareRun } from '../../../load/run/prepare-run.ts';
import { scenarioPlan, scenarioPlans } from '../../../load/scenarios.ts';
import { ConfigurationError } from '../../../spec/files/configuration-error.ts';
import { readYamlFile } from '../../../spec/files/read-file.ts';
import { yamlText } from '../../../spec/text/yaml-text.ts';
import { positiveInteger } from '../../option-values.ts';
import { write } from './reports.ts';

interface ManifestFlags {
  readonly target: string;
  readonly key?: readonly string[];
  readonly parallelism?: number;
  readonly configMap?: string;
  readonly volume?: string;
  readonly file?: string;
  readonly secret: string;
  readonly results?: string;
  readonly namespace?: string;
  readonly image?: string;
  readonly out?: string;
}

/** `partnerkit load manifest`: writes a TestRun for the k6-operator. */
export function addLoadManifestCommand(load: Command): void {
  load
    .command('manifest')
    .description('write a TestRun of the k6-operator that runs an archive of load archive')
    .argument('<scenario>', 'name of the scenario; see load run --list')
    .requiredOption('--target <file>', 'target file of the archive, which says which secrets are needed')
    .option('--key <names...>', 'the keys of the archive, if it was packed with --key')
    .option('--parallelism <number>', 'k6 processes; default: 2, or 1 where there is one key', positiveInteger)
    .option('--config-map <name>', 'ConfigMap with the archive; default: partnerkit-SCENARIO')
    .addOption(
      new Option('--volume <claim>', 'volume claim with the archive, instead of a ConfigMap').conflicts('configMap'),
    )
    .option('--file <name>', 'name of the archive in the ConfigMap or volume; default: SCENARIO.tar')
    .option('--secret <name>', 'Secret with the environment variables of the target', 'partnerkit-load')
    .option('--results <claim>', 'volume claim for the raw output, for load judge')
    .option('--namespace <name>', 'namespace of the TestRun')
    .option('--image <image>', 'k6 image, with its version')
    .option('--out <file>', 'file to write; default: standard output')
    .addHelpText('after', '\nExample:\n  partnerkit load manifest fleet --target target.yaml --parallelism 3')
    .action(writeManifest);
}

function writeManifest(scenario: string, flags: ManifestFlags): void {
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
  const { volume, configMap = `partnerkit-${scenario}`, file = `${scenario}.tar` } = flags;
  const manifest = testRun({
    ...flags,
    parallelism,
    scenario,
    variables,
    archive:
      volume === undefined ? { kind: 'configMap', name: configMap, file } : { kind: 'volumeClaim', name: volume, file },
  });
  // Pods on several nodes share a volume only if its access mode allows it; the others would wait for it without end.
  const needs = [
    `${parallelism} nodes that are free: each pod gets one of its own`,
    flags.results && `the claim ${flags.results} to be ReadWriteMany: every pod writes to it`,
    volume && `the claim ${volume} to be ReadOnlyMany or ReadWriteMany: every pod reads from it`,
  ];
  const notes = needs.flatMap((need) => (need && parallelism > 1 ? [`# needs ${need}\n`] : [])).join('');
  const text = `${notes}${yamlText(manifest)}`;
  if (flags.out === undefined) process.stdout.write(text);
  else {
    write(flags.out, () => text);
    process.stderr.write(notes);
  }
}
