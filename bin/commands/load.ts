import { resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { paintFor } from '../../conformance/reports/console.ts';
import type { WantedFile } from '../../conformance/reports/report-files.ts';
import { runLoad } from '../../load/index.ts';
import { installK6 } from '../../load/install-k6.ts';
import { judgeFiles } from '../../load/judge-files.ts';
import { testRun } from '../../load/k8s/test-run.ts';
import { defaultAllowance, describeTraffic, plannedTraffic } from '../../load/plan/traffic.ts';
import { diffRuns, diffText } from '../../load/report/diff-runs.ts';
import { diffPage, htmlReport } from '../../load/report/html-report.ts';
import { type LoadReport, loadReportSchema } from '../../load/report/report-schema.ts';
import { terminalReport } from '../../load/report/terminal-report.ts';
import { cacheFolder, findK6 } from '../../load/run/find-k6.ts';
import { archiveWithK6 } from '../../load/run/k6-process.ts';
import { prepareRun, type RunChoices } from '../../load/run/prepare-run.ts';
import { scenarioPlan, scenarioPlans } from '../../load/scenarios.ts';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { readJsonReport, readYamlFile } from '../../spec/files/read-file.ts';
import { type Admission, admissionOf } from '../../spec/limiter/observation.ts';
import { ownCommand, packageVersion } from '../../spec/package-facts.ts';
import { commandLine } from '../../spec/text/shell-quoted.ts';
import { wrapped } from '../../spec/text/wrapped.ts';
import { yamlText } from '../../spec/text/yaml-text.ts';
import {
  duration,
  type FlagsOf,
  numberOf,
  positive,
  positiveInteger,
  repeatable,
  requiredTarget,
} from '../option-values.ts';
import { showProgress } from '../output/progress.ts';
import { assertWritable, publish, sayWritten, writeOnce } from '../output/publish.ts';
import { noteLabels } from './label-changes.ts';
import { reportOption } from './report-option.ts';

/** `partnerkit load`: judges the rate limit of a deployment with k6 scenarios. */
export function define(command: Command): void {
  command.addHelpText(
    'after',
    '\nExit codes: 0 keeps the contract, 1 breaks it, 2 usage or configuration, 3 could not tell.\n\nExample:\n  partnerkit load run overload --target target.yaml',
  );
  runOptions(command.command('run')).action((scenario, flags) => {
    if (flags.list) return list();
    if (scenario === undefined) throw new ConfigurationError(['SCENARIO is missing: `load run --list` names them']);
    return run(scenario, flags);
  });

  command
    .command('judge')
    .description("judge what k6 or another tool wrote; several machines' files are merged")
    .argument('<files...>', 'raw output of k6, or logs of the requests with one key; plain or .gz')
    .addOption(reportsOption())
    .option('--per-second <number>', 'the declared rate', positive, 10)
    .option('--burst <number>', 'the declared burst', burstSize, 20)
    .option('--skew-ms <number>', 'how far clocks of files may differ; default: 2000 with k6, else 1', positive)
    .option('--no-rested', 'the bucket may not have been full at the start, because the key was used before')
    .option('--server-side', 'the files are logs of the gateway, which decided each request when it came')
    .addHelpText('after', judgeHelp)
    .action(async (files, { report, perSecond, burst, ...options }) => {
      await assertWritable(report);
      const limit = { perSecond, burst };
      await publishLoad(await judgeFiles(files, { ...options, limit, kit: packageVersion() }), report);
    });

  command
    .command('diff')
    .argument('<before>', 'JSON report of the earlier run')
    .argument('<after>', 'JSON report of the later run')
    .description('compare two runs; exits with 1 if something got worse')
    .option('--html <file>', 'write a page with the curves of both runs in one chart')
    .addHelpText(
      'after',
      '\nload run --report json=FILE writes the reports.\n\nExample:\n  partnerkit load diff monday.json today.json --html diff.html',
    )
    .action((earlier, later, { html }) => {
      const before = readJsonReport(earlier, loadReportSchema);
      const after = readJsonReport(later, loadReportSchema);
      process.stdout.write(diffText(before, after, [earlier, later], paintFor(process.stdout)));
      if (html !== undefined) {
        writeOnce(html, diffPage(before, after, [earlier, later]), true);
        sayWritten([html]);
      }
      process.exitCode = diffRuns(before, after).isWorse ? 1 : 0;
    });

  addPrepareOptions(command.command('archive'))
    .description('pack a scenario and its target, without secrets, for a plain k6, here or on other machines')
    .argument('<scenario>', 'name of the scenario; see load run --list')
    .option('--out <file>', 'archive to write; default: SCENARIO.tar')
    .addHelpText('after', '\nExample:\n  partnerkit load archive fleet --target target.yaml --out fleet.tar')
    .action(async (scenario, { out = `${scenario}.tar`, ...flags }) => {
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

  manifestOptions(command.command('manifest')).action(writeManifest);

  command
    .command('install-k6')
    .description('install k6 where there is none: its release, or a build with Go')
    .option('--into <folder>', 'where to put it; default: a folder in which load run looks')
    .addHelpText('after', installHelp)
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

const judgeHelp = `
Reads k6's raw output of a scenario (k6 run --out json=FILE), and what vegeta, hey, oha, k6, JMeter, browsers (HAR), nginx and Envoy
wrote of one key, or CSV and NDJSON with sentAt, doneAt and status. --per-second, --burst, --no-rested and --server-side are for these.

Examples:
  partnerkit load judge results/*.json
  partnerkit load judge hey.csv --per-second 10 --burst 20`;

const installHelp = `\nK6_RELEASES=https://mirror.example/k6 names a mirror of https://github.com/grafana/k6/releases/download.

Example:
  partnerkit load install-k6`;

/** Beyond these many tokens a volley tells nothing. */
const burstSize = numberOf('a number from 1 to 100000', (number) => number >= 1 && number <= 100_000);

/** Adds the options for the target, the keys and the limits of a run. */
const addPrepareOptions = (command: Command) =>
  command
    .option('--target <file>', 'target file, YAML or JSON, that describes the deployment')
    .addOption(repeatable('--key <name>', 'use this key of the first tenant; repeatable', (name) => [name]))
    .option('--duration <duration>', 'length of the main phase, such as 90s, 10m or 2h', seconds)
    .option('--max-rps <number>', 'refuse to send more requests in one second', positive, defaultAllowance.maxRps)
    .option('--max-requests <number>', 'refuse to send more requests in all', positive, defaultAllowance.maxRequests)
    .option('--yes', 'allow load on a host that is not this machine')
    .option('--allow-leftovers', 'allow files that the API cannot delete (scenario upload)');

/** What the options say of a run. */
const choicesOf = ({ key, duration, ...limits }: FlagsOf<typeof addPrepareOptions>): RunChoices => {
  const { target, maxRps, maxRequests, yes = false, allowLeftovers = false } = limits;
  const allowance = { maxRps, maxRequests, yes, allowLeftovers };
  return { keys: key, duration, allowance, env: process.env, where: requiredTarget({ target }) };
};

/** k6 counts in seconds. */
const seconds = (value: string): number => duration(value) / 1000;

const reportsOption = () => reportOption(['html', 'json']);

const formats = { html: htmlReport, json: (report: LoadReport) => `${JSON.stringify(report, null, 2)}\n` };

/** Prints the summary and writes the reports, which name this command. */
const publishLoad = (
  made: LoadReport,
  files: readonly WantedFile<'html' | 'json'>[],
  more: readonly (string | undefined)[] = [],
) => {
  const report = { ...made, again: commandLine([...ownCommand(), ...process.argv.slice(2)]) };
  return publish(report, { text: terminalReport(report, paintFor(process.stdout)), files, formats, more });
};

const runOptions = (command: Command) =>
  addPrepareOptions(command)
    .description('run a scenario and judge it')
    .argument('[scenario]', 'name of the scenario; see --list')
    .option('--list', 'list the scenarios, with the requests and the time that one key takes, and send nothing')
    .addOption(reportsOption())
    .option('--raw <file>', "keep k6's raw output, for load judge")
    .addHelpText(
      'after',
      '\nExample:\n  partnerkit load run burst --target target.yaml --report html=burst.html,json=burst.json',
    );

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

async function run(scenario: string, flags: FlagsOf<typeof runOptions>): Promise<void> {
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
      const text = `${scenario} against ${prepared.target.baseUrl}: ${what} (k6 ${k6.version})`;
      process.stderr.write(`${wrapped(text, '  ', process.stderr)}\n`);
      end = await noteLabels(prepared, file);
      progress.onExpected(1_000 * prepared.traffic.seconds);
    },
    onProgress({ requests }) {
      const admissions = requests.map(({ status }) => admissionOf(status));
      const count = (one: Admission) => `${admissions.filter((each) => each === one).length} ${one}`;
      const counts = `${count('admitted')}, ${count('throttled')}`;
      progress.show(requests.length, planned, requests.length === 0 ? 'the bucket of the key fills' : counts);
    },
  });
  await end?.(report);
  progress.end();
  await publishLoad(report, flags.report, [raw]);
}

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
