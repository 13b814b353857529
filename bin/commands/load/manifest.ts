import { type Command, InvalidArgumentError, Option } from 'commander';
import { write } from './reports.ts';

interface ManifestFlags {
  readonly target: string;
  readonly parallelism: number;
  readonly configMap?: string;
  readonly volume?: string;
  readonly file?: string;
  readonly secret: string;
  readonly results?: string;
  readonly namespace?: string;
  readonly image?: string;
  readonly out?: string;
}

/** `partnerkit load manifest`: a TestRun for the k6-operator that runs an archive. */
export function addLoadManifestCommand(load: Command): void {
  load
    .command('manifest')
    .description('write a TestRun of the k6-operator that runs an archive of load archive')
    .argument('<scenario>', 'its name; see load list')
    .requiredOption(
      '--target <file>',
      'the target file that the archive was made with: it says which secrets are needed',
    )
    .addOption(new Option('--parallelism <number>', 'k6 processes').default(2).argParser(wholeNumber))
    .option('--config-map <name>', 'ConfigMap that holds the archive; default: partnerkit-SCENARIO')
    .addOption(new Option('--volume <claim>', 'volume claim that holds the archive instead').conflicts('configMap'))
    .option('--file <name>', 'name of the archive there; default: SCENARIO.tar')
    .option('--secret <name>', 'Secret with the environment variables of the target', 'partnerkit-load')
    .option('--results <claim>', 'volume claim for the raw output, for load verdict')
    .option('--namespace <name>', 'namespace of the TestRun')
    .option('--image <image>', 'k6 image, with its version')
    .option('--out <file>', 'the file to write; default: standard output')
    .action(manifest);
}

async function manifest(scenario: string, flags: ManifestFlags): Promise<void> {
  const [
    { testRun },
    { portableTarget },
    { readYamlFile },
    { scenarioPlan, scenarioPlans },
    { ConfigurationError },
    { parseTarget },
    { yamlText },
  ] = await Promise.all([
    import('../../../load/k8s/test-run.ts'),
    import('../../../load/run/portable-target.ts'),
    import('../../../spec/files/yaml-file.ts'),
    import('../../../load/scenarios/all.ts'),
    import('../../../spec/files/configuration-error.ts'),
    import('../../../spec/files/target.ts'),
    import('../../../spec/text/yaml-text.ts'),
  ]);
  if (scenarioPlan(scenario)?.kind !== 'limit') {
    const names = scenarioPlans.filter(({ kind }) => kind === 'limit').map(({ name }) => name);
    throw new ConfigurationError([`${scenario} does not run on several machines; use one of ${names.join(', ')}`]);
  }
  const value = readYamlFile(flags.target);
  // A manifest names the variables; their values are in the cluster. Any URL will do for whatever may be unset here.
  const env = new Proxy(process.env, {
    get: (set, name) => set[String(name)] ?? 'https://placeholder.invalid',
  });
  parseTarget(value, env, flags.target);
  const { variables } = portableTarget(value as Parameters<typeof portableTarget>[0]);
  const { volume, configMap = `partnerkit-${scenario}`, file = `${scenario}.tar` } = flags;
  const run = testRun({
    ...flags,
    scenario,
    variables,
    archive:
      volume === undefined ? { kind: 'configMap', name: configMap, file } : { kind: 'volumeClaim', name: volume, file },
  });
  const text = yamlText(run);
  if (flags.out === undefined) process.stdout.write(text);
  else write(flags.out, () => text);
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('Give a whole number of at least 1.');
  return Number(text);
}
