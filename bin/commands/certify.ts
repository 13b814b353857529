import { availableParallelism } from 'node:os';
import { type Command, Option } from '@commander-js/extra-typings';
import { paintFor } from '../../conformance/reports/console.ts';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { interruption } from '../../spec/interruption.ts';
import { ownCommand } from '../../spec/package-facts.ts';
import { commandLine, exportLines } from '../../spec/text/shell-quoted.ts';
import { terminalLine } from '../../spec/text/terminal-text.ts';
import { cannotListen } from '../cannot-listen.ts';
import { certify, judgeTraffic } from '../certify/certify.ts';
import { readRecording } from '../certify/har.ts';
import type { ClientReport } from '../certify/report/client-report.ts';
import { clientHtmlReport } from '../certify/report/html.ts';
import { clientJunitReport } from '../certify/report/junit.ts';
import { clientTextReport } from '../certify/report/text.ts';
import { everythingTried, listTable } from '../certify/selection.ts';
import { namesOf } from '../certify/variables.ts';
import { watch } from '../certify/watch.ts';
import { readProfile, readSeeds } from '../mock-files.ts';
import { duration, type FlagsOf, portNumber, positiveInteger } from '../option-values.ts';
import { showProgress } from '../output/progress.ts';
import { assertWritable, publish } from '../output/publish.ts';
import { reportOption } from './report-option.ts';

/** More runs at once would only slow each other down. */
const defaultJobs = Math.min(4, availableParallelism());

/** Milliseconds. */
const defaultTimeout = 60_000;

/** `partnerkit certify`: judges whether a client does its duties under the contract, and which faults and variations it can handle. */
export function define(command: Command): void {
  withOptions(command).action(start);
}

const withOptions = (command: Command) =>
  command
    .argument('[command...]', 'the tests of the client, or the client itself, after --')
    .option('--only <what...>', 'only these: duties, faults, freedoms, or ids of --list')
    .option('--strict', 'do not certify a client with warnings', false)
    .option('--json', 'print JSON instead of text')
    .addOption(reportOption(['html', 'junit', 'json']))
    .option('--env <NAME=OWN...>', 'pass a variable under another name, such as URL=PARTNER_URL', [])
    .option('--jobs <number>', 'how many runs at once', positiveInteger, defaultJobs)
    .addOption(
      new Option('--timeout <duration>', 'the longest time for one run')
        .default(defaultTimeout, '60s')
        .argParser(duration),
    )
    .option('--fixtures <path>', 'use the first tenant of this folder or file instead of the packaged one')
    .option('--profile <file>', 'behave like the deployment that this profile describes, and vary the rest')
    .option('--watch', 'serve a mock for a client that you run by hand, and judge its requests as they arrive')
    .option('--port <number>', 'port of --watch; 0 chooses a free one', portNumber, 4010)
    .addOption(new Option('--recording <file>', 'judge the requests of a HAR file; runs nothing').conflicts('watch'))
    .option('--list', 'list duties, faults and freedoms')
    .addHelpText('after', help);

type CertifyFlags = FlagsOf<typeof withOptions>;

const help = `
The command gets the address and a key of the mock in PARTNERKIT_URL and PARTNERKIT_KEY, and records in
PARTNERKIT_CONVERSATION, _CLOSED_CONVERSATION, _SITE, _CLIENT, _LEGACY_SITE, _LEGACY_CLIENT, _LABEL, _LABEL_NAME and _STORAGE_URL.
Exit codes: 0 certified, 1 a documented duty is broken, 2 usage, or the command fails without any fault, 3 could not tell.

Examples:
  partnerkit certify -- npm test
  partnerkit certify --watch
  partnerkit certify --recording exchanges.har --report html=client.html
  partnerkit certify --env URL=PARTNER_URL --env KEY=PARTNER_KEY --report html=client.html -- pytest tests/partner`;

async function start(words: readonly string[], flags: CertifyFlags): Promise<void> {
  const { list = false, watch: watches = false, recording, only, strict } = flags;
  if (list) {
    process.stdout.write(flags.json ? `${JSON.stringify(everythingTried(), null, 2)}\n` : listTable());
    return;
  }
  if (words.length === 0 && recording === undefined && !watches) {
    throw new ConfigurationError([
      `certify: the command is missing; give the command that tests your client after --, such as: ${commandLine(ownCommand())} certify -- npm test`,
    ]);
  }
  await assertWritable(flags.report);
  const report = await (recording !== undefined
    ? judgeTraffic(readRecording(recording), { subject: recording, startedAt: new Date(), only, strict })
    : watches
      ? watchClient(flags)
      : runClient(words, flags));
  const json = (one: ClientReport) => `${JSON.stringify(one, null, 2)}\n`;
  const text = flags.json ? json(report) : clientTextReport(report, paintFor(process.stdout));
  const formats = { html: clientHtmlReport, junit: clientJunitReport, json };
  await publish(report, { text, files: flags.report, formats });
}

async function runClient(command: readonly string[], flags: CertifyFlags): Promise<ClientReport> {
  const [seeds, profile] = await Promise.all([readSeeds(flags.fixtures), readProfile(flags.profile)]);
  const { env, only = [], jobs, timeout, strict } = flags;
  using progress = showProgress('runs');
  using interrupted = interruption(() => progress.say('Interrupted: ending all runs.'));
  const repeated = repeatedOptions(flags);
  const { onStart, onDone } = progress;
  const reports = flags.report.flatMap(({ format, path }) => ['--report', `${format}=${path}`]);
  const options = { command, names: namesOf(env), seeds, profile, only, jobs, timeout, strict, repeated, reports };
  return await certify({ ...options, signal: interrupted.signal, onStart, onDone });
}

/** The options that decide what a client meets, as words of a command. */
function repeatedOptions({ env, fixtures, profile, jobs, timeout }: CertifyFlags): string[] {
  const given = {
    fixtures,
    profile,
    jobs: jobs === defaultJobs ? undefined : jobs,
    timeout: timeout === defaultTimeout ? undefined : `${timeout}ms`,
  };
  return [
    ...env.flatMap((name) => ['--env', name]),
    ...Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, String(value)])),
  ];
}

/** Judges until Ctrl-C. */
async function watchClient(flags: CertifyFlags): Promise<ClientReport> {
  const [seeds, profile] = await Promise.all([readSeeds(flags.fixtures), readProfile(flags.profile)]);
  const { signal } = interruption();
  const paint = paintFor(process.stderr);
  const { port, strict } = flags;
  await using watching = await watch({
    port,
    seeds,
    profile,
    strict,
    names: namesOf(flags.env),
    onBroken: ({ id, outcome, message, advice }) =>
      process.stderr.write(`${paint('bold', outcome)} ${id}: ${terminalLine(message)}. ${advice}\n`),
  }).catch((error: NodeJS.ErrnoException) => {
    throw error.syscall === 'listen'
      ? new ConfigurationError([cannotListen(error, { host: '127.0.0.1', port })])
      : error;
  });
  const { environment, url } = watching;
  const exports = exportLines(environment).map((line) => `  ${line}`);
  process.stderr.write(
    `${['For your client:', ...exports, `Live verdict: ${url}/_mock#/client`, `To start over, clear the requests: curl -X DELETE ${url}/_mock/journal`, 'Ctrl-C ends it and prints the verdict.'].join('\n')}\n`,
  );
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  return watching.report();
}
