import { resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { runLoad } from '../../../load/index.ts';
import { describeTraffic, plannedTraffic } from '../../../load/plan/traffic.ts';
import { scenarioPlans } from '../../../load/scenarios.ts';
import { ConfigurationError } from '../../../spec/files/configuration-error.ts';
import { readYamlFile } from '../../../spec/files/read-file.ts';
import type { FlagsOf } from '../../option-values.ts';
import { showProgress } from '../../output/progress.ts';
import { assertWritable } from '../../output/publish.ts';
import { requiredTarget } from '../conformance/options.ts';
import { publishLoad, reportsOption } from './judge.ts';
import { noteLabels } from './label-changes.ts';
import { addPrepareOptions, choicesOf } from './pack.ts';

const help = `
Example:
  partnerkit load run burst --target target.yaml --report html=burst.html,json=burst.json`;

/** `partnerkit load run`: runs a scenario against a deployment and judges it. */
export function addLoadRunCommand(load: Command): void {
  withOptions(load.command('run')).action((scenario, flags) => {
    if (flags.list) return list();
    if (scenario === undefined) throw new ConfigurationError(['SCENARIO is missing: `load run --list` names them']);
    return run(scenario, flags);
  });
}

const withOptions = (command: Command) =>
  addPrepareOptions(command)
    .description('run a scenario and judge it')
    .argument('[scenario]', 'name of the scenario; see --list')
    .option('--list', 'list the scenarios, with the requests and the time that one key takes, and send nothing')
    .addOption(reportsOption())
    .option('--raw <file>', "keep k6's raw output, for load judge")
    .addHelpText('after', help);

function list(): void {
  const lines = scenarioPlans
    .map((plan) => ({ ...plan, ...plannedTraffic(plan, [{ perSecond: 10, burst: 20 }]) }))
    .sort((a, b) => a.requests - b.requests)
    .map(({ name, summary, requests, seconds }) => {
      const took = `${Math.ceil(seconds)} s`.padStart(7);
      return [name.padEnd(10), `${requests}`.padStart(6), 'requests', took, ` ${summary}\n`].join(' ');
    });
  process.stdout.write(lines.join(''));
}

async function run(scenario: string, flags: FlagsOf<typeof withOptions>): Promise<void> {
  const file = requiredTarget(flags);
  const { raw } = flags;
  using progress = showProgress('requests');
  let planned = 0;
  let end: Awaited<ReturnType<typeof noteLabels>> | undefined;
  const report = await runLoad(readYamlFile(file), scenario, {
    ...choicesOf(flags),
    rawFile: raw && resolve(raw),
    async onPrepared(prepared, k6) {
      planned = prepared.traffic.requests;
      await assertWritable(flags.report);
      const what = describeTraffic(prepared.traffic);
      process.stderr.write(`${scenario} against ${prepared.target.baseUrl}: ${what} (k6 ${k6.version})\n`);
      end = await noteLabels(prepared, file);
    },
    onProgress({ requests }) {
      const throttled = requests.filter(({ status }) => status === 429).length;
      progress.show(requests.length, planned, `${throttled} throttled`);
    },
  });
  await end?.(report);
  progress.end();
  await publishLoad(report, flags.report, [raw]);
}
