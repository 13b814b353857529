import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { Option } from 'commander';
import type { WantedFile } from '../../conformance/reports/report-files.ts';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { interruption } from '../../spec/interruption.ts';
import { ownCommand } from '../../spec/own-command.ts';
import { nearest } from '../../spec/text/nearest.ts';
import { commandLine, shellQuoted } from '../../spec/text/shell-quoted.ts';
import { cannotListen } from '../cannot-listen.ts';
import type { ClientReportFormat } from '../certify/report/client-formats.ts';
import type { ClientReport } from '../certify/report/client-report-schema.ts';
import { readProfile, readSeeds } from '../mock-files.ts';
import { duration, portNumber, positiveInteger } from '../option-values.ts';
import { clientReportFormats } from './certify/client-report-formats.ts';
import { addJudgeCommand } from './certify/judge.ts';
import { publish } from './certify/publish.ts';
import { progressOn } from './conformance/running/progress.ts';
import { reportOption } from './report-option.ts';

interface CertifyFlags {
  readonly env: readonly string[];
  readonly envFile?: string;
  readonly only?: readonly string[];
  readonly jobs?: number;
  readonly timeout: number;
  readonly fixtures?: string;
  readonly profile?: string;
  readonly strict?: boolean;
  readonly list?: boolean;
  readonly watch?: boolean;
  readonly port: number;
  readonly json?: boolean;
  readonly report: readonly WantedFile<ClientReportFormat>[];
}

/** More runs at once would only slow each other down. Certify notices clients that cannot run several times at once. */
const defaultJobs = Math.min(4, availableParallelism());

/** Milliseconds. */
const defaultTimeout = 60_000;

/** `partnerkit certify`: judges whether a client does its duties under the contract, and which faults and variations it can handle. */
export function certifyCommand(command: Command): void {
  command
    .argument('[command...]', 'the tests of the client, or the client itself, after --')
    .option('--env <NAME=OWN...>', 'pass a variable under another name, such as URL=PARTNER_URL', [])
    .option('--env-file <file>', 'also write the variables to this file before every run; runs one at a time')
    .option('--only <what...>', 'only these: duties, faults, freedoms, or ids of --list')
    .option('--jobs <number>', 'how many runs at once', positiveInteger, defaultJobs)
    .addOption(
      new Option('--timeout <duration>', 'the longest time for one run')
        .default(defaultTimeout, '60s')
        .argParser(duration),
    )
    .option('--fixtures <path>', 'use the first tenant of this folder or file instead of the packaged one')
    .option(
      '--profile <file>',
      'profile of the real deployment: the mock behaves the same, and does not vary what the profile says',
    )
    .option('--strict', 'do not certify a client with warnings')
    .option('--watch', 'serve a mock for a client that you run by hand, and judge its requests as they arrive')
    .option('--port <number>', 'port of --watch; 0 chooses a free one', portNumber, 4010)
    .option('--list', 'list duties, faults and freedoms')
    .option('--json', 'print JSON instead of text')
    .addOption(reportOption(clientReportFormats))
    .addHelpText('after', help)
    .action(start);
  addJudgeCommand(command);
}

const help = `
The command gets the address and a key of the mock in PARTNERKIT_URL and PARTNERKIT_KEY, and records in
PARTNERKIT_CONVERSATION, _CLOSED_CONVERSATION, _SITE, _CLIENT, _LEGACY_SITE, _LEGACY_CLIENT, _LABEL, _LABEL_NAME and _STORAGE_URL.
Exit codes: 0 certified, 1 a documented duty is broken, 2 usage, or the command fails without any fault, 3 could not tell.

Examples:
  partnerkit certify -- npm test
  partnerkit certify --watch
  partnerkit certify --env URL=PARTNER_URL --env KEY=PARTNER_KEY --report html=client.html -- pytest tests/partner`;

async function start(words: readonly string[], flags: CertifyFlags, command: Command): Promise<void> {
  if (flags.list) return list(flags.json ?? false);
  const meant = words.length === 1 ? nearest(words[0] ?? '', ['judge']) : undefined;
  if (meant !== undefined) command.error(`error: unknown command '${words[0]}'\n(Did you mean ${meant}?)`);
  if (flags.watch) return watchClient(flags);
  if (words.length === 0) {
    throw new ConfigurationError([
      `certify: the command is missing; give the command that tests your client after --, such as: ${commandLine(ownCommand())} certify -- npm test`,
    ]);
  }
  const [{ certify }, { namesOf }, { assertOurs }, { paintFor }, files, seeds, profile] = await Promise.all([
    import('../certify/certify.ts'),
    import('../certify/variables.ts'),
    import('../certify/env-file.ts'),
    import('../../conformance/reports/console.ts'),
    import('../../conformance/reports/report-files.ts'),
    readSeeds(flags.fixtures),
    readProfile(flags.profile),
  ]);
  await files.assertWritable(flags.report.map(({ path }) => path));
  const { env, envFile, only = [], jobs = defaultJobs, timeout, strict = false } = flags;
  if (envFile !== undefined) await assertOurs(envFile);
  const progress = progressOn(process.stderr, paintFor(process.stderr), 'runs');
  const { signal, stopListening } = interruption(() => progress.say('Interrupted: ending all runs.'));
  let report: ClientReport;
  try {
    report = await certify({
      command: words,
      names: namesOf(env),
      seeds,
      profile,
      envFile,
      only,
      jobs: envFile === undefined ? jobs : 1,
      timeout,
      strict,
      repeated: repeatedOptions(flags),
      signal,
      onStart: progress.onStart,
      onDone: progress.onDone,
    });
  } finally {
    progress.end();
    stopListening();
  }
  await publish(report, flags);
}

/** The options that decide what a client meets, as words of a command. */
function repeatedOptions({ env, envFile, fixtures, profile, jobs = defaultJobs, timeout }: CertifyFlags): string[] {
  const given = {
    'env-file': envFile,
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

/** Judges until Ctrl-C, then prints the verdict. */
async function watchClient(flags: CertifyFlags): Promise<void> {
  const [{ watch }, { environmentOf, namesOf }, { paintFor }, files, { terminalLine }, seeds, profile] =
    await Promise.all([
      import('../certify/watch.ts'),
      import('../certify/variables.ts'),
      import('../../conformance/reports/console.ts'),
      import('../../conformance/reports/report-files.ts'),
      import('../../spec/text/terminal-text.ts'),
      readSeeds(flags.fixtures),
      readProfile(flags.profile),
    ]);
  await files.assertWritable(flags.report.map(({ path }) => path));
  const { signal } = interruption();
  const paint = paintFor(process.stderr);
  await using watching = await watch({
    port: flags.port,
    seeds,
    profile,
    strict: flags.strict ?? false,
    onBroken: ({ id, outcome, message, advice }) =>
      process.stderr.write(`${paint('bold', outcome)} ${id}: ${terminalLine(message)}. ${advice}\n`),
  }).catch((error: NodeJS.ErrnoException) => {
    throw error.syscall === 'listen'
      ? new ConfigurationError([cannotListen(error, { host: '127.0.0.1', port: flags.port })])
      : error;
  });
  const { values, url } = watching.client;
  const exports = Object.entries(environmentOf(values, namesOf(flags.env))).map(
    ([name, value]) => `  export ${name}=${shellQuoted(value)}`,
  );
  process.stderr.write(
    `${['For your client:', ...exports, `Live verdict: ${url}/_mock#/client`, 'Ctrl-C ends it and prints the verdict.'].join('\n')}\n`,
  );
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  const report = watching.report();
  await publish(report, flags);
}

async function list(json: boolean): Promise<void> {
  const { everythingTried, listTable } = await import('../certify/selection.ts');
  process.stdout.write(json ? `${JSON.stringify(everythingTried(), null, 2)}\n` : listTable());
}
