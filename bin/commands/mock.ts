import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Latency, parseLatency } from '../../mock/faults/latency.ts';
import type { Mock } from '../../mock/index.ts';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { fileProblem } from '../../spec/files/file-problem.ts';
import { cannotListen } from '../cannot-listen.ts';
import { readProfile, readSeeds } from '../mock-files.ts';
import { httpOrigin, portNumber, positive, positiveInteger } from '../option-values.ts';

interface MockFlags {
  readonly port: number;
  readonly host: string;
  readonly fixtures?: string;
  readonly profile?: string;
  readonly rate?: number;
  readonly burst?: number;
  readonly rateLimit: boolean;
  readonly publicUrl?: string;
  readonly state?: string;
  readonly controlToken?: string;
  readonly controlTokenFile?: string;
  readonly storageLimit?: number;
  readonly latency?: Latency;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly log?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** `partnerkit mock`: serves the API from seeded tenants until it is interrupted. */
export function mockCommand(command: Command): void {
  command
    .addOption(
      new Option('--port <number>', 'port to listen on; 0 takes a free one').default(4010).argParser(portNumber),
    )
    .option('--host <address>', 'interface to listen on', '127.0.0.1')
    .option('--fixtures <path>', 'folder or file of tenants to serve in place of the packaged ones')
    .option('--profile <file>', 'behave as this profile says where the specification is silent')
    .addOption(
      new Option('--rate <number>', 'requests per second of keys without a limit of their own').argParser(positive),
    )
    .addOption(new Option('--burst <number>', 'burst of keys without a limit of their own').argParser(positiveInteger))
    .option('--no-rate-limit', 'never answer 429')
    .addOption(
      new Option('--public-url <url>', 'address that clients use, for upload URLs behind a proxy').argParser(
        httpOrigin,
      ),
    )
    .option(
      '--state <file>',
      'keep the state in this file over restarts; beside it are uploaded bytes (<file>.files), the secret that signs upload URLs (<file>.secret) and a lock (<file>.lock)',
    )
    .addOption(
      new Option('--control-token <token>', 'what callers of /_mock must send as a Bearer token; others see it in `ps`')
        .env('PARTNERKIT_CONTROL_TOKEN')
        .argParser(token),
    )
    .addOption(new Option('--control-token-file <file>', 'the same, read from a file').conflicts('controlToken'))
    .addOption(
      new Option('--storage-limit <size>', 'how much all uploaded files may take, such as 500MB or 20GB')
        .default(undefined, '1GB')
        .argParser(bytes),
    )
    .addOption(
      new Option(
        '--latency <spec>',
        'hold every reply back: 200ms, normal:200ms,50ms (mean, deviation) or tail:50ms,2s (median, p99)',
      ).argParser(latency),
    )
    .option('--tls-cert <file>', 'serve https with this certificate (PEM)')
    .option('--tls-key <file>', 'the private key of --tls-cert (PEM)')
    .option('--log', 'print every request')
    .option('--quiet', 'print only the address')
    .option('--json', 'print JSON lines for machines')
    .addHelpText('after', '\nExample:\n  partnerkit mock --port 0 --rate 5 --burst 10')
    .action(start);
}

async function start(given: MockFlags): Promise<void> {
  const controlToken = given.controlToken ?? (await readToken(given.controlTokenFile));
  const flags: MockFlags = { ...given, ...(controlToken !== undefined && { controlToken }) };
  const [{ createMock }, { describeMock }, seeds, profile, tls, state] = await Promise.all([
    import('../../mock/index.ts'),
    import('../describe-mock.ts'),
    readSeeds(flags.fixtures),
    readProfile(flags.profile),
    readTls(flags),
    flags.state === undefined
      ? undefined
      : import('../../mock/state/state-file.ts').then((m) => m.openStateFile(flags.state ?? '')),
  ]);
  const { rate: perSecond, burst, latency } = flags;
  const mock = await createMock({
    seeds,
    rateLimit: flags.rateLimit && { perSecond, burst },
    ...(flags.publicUrl !== undefined && { publicUrl: flags.publicUrl }),
    ...(latency !== undefined && { latency }),
    ...(flags.storageLimit !== undefined && { storageLimit: flags.storageLimit }),
    ...(profile && { profile }),
    ...(state && { files: state.files, uploadSecret: state.uploadSecret }),
  });
  await state?.load(mock);
  const control = { token: flags.controlToken, ...(state && { save: () => state.save(mock) }) };
  const listening = await mock
    .listen({ port: flags.port, host: flags.host, tls, control })
    .catch((error: NodeJS.ErrnoException) => {
      throw new ConfigurationError([cannotListen(error, flags)]);
    });
  const unwatch = await watchFixtures(flags.fixtures, mock);
  await startLog(flags, mock);
  // Set before the address is printed: a reader of the address may end the mock at once.
  const interruption = interrupted();
  process.stdout.write(describeMock(listening, mock, flags));
  // Removes the folders of earlier mocks that were killed, in the background; a failure does not matter.
  import('../../mock/storage/temporary-folders.ts').then((m) => m.removeAbandonedFolders()).catch(() => undefined);
  const stopSaving = state?.keepSaving(mock, 2_000, (error) => complain('state not saved', error));

  await interruption;
  unwatch?.();
  await listening.close();
  await stopSaving?.();
  state?.release();
  await mock.close();
}

async function startLog({ log = false, quiet = false, json = false }: MockFlags, mock: Mock): Promise<void> {
  if (!log || quiet) return;
  const { logLine } = await import('../request-log.ts');
  mock.journal.subscribe((exchange) => process.stdout.write(logLine(exchange, json)));
}

/** A saved change of a fixture file is served at once; a broken one changes nothing. */
async function watchFixtures(path: string | undefined, mock: Mock): Promise<(() => void) | undefined> {
  if (path === undefined) return undefined;
  const { watchSeeds } = await import('../../mock/seed/watch-seeds.ts');
  return watchSeeds(
    path,
    (seeds) => mock.reseed(seeds),
    (error) => complain('fixtures not reloaded, the old ones stay', error),
  );
}

/** Prints one line on the error output. */
function complain(what: string, error: unknown): void {
  const [first, ...more] = error instanceof ConfigurationError ? error.problems : [String(error)];
  const others = more.length > 0 ? ` (and ${more.length} more)` : '';
  process.stderr.write(`partnerkit: ${what}: ${first?.replaceAll('\n', ' ')}${others}\n`);
}

async function readToken(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError([`--control-token-file ${file}: ${fileProblem(error, 'read')}`]);
  });
  if (!isToken(text.trim())) throw new ConfigurationError([`--control-token-file ${file}: ${tokenRule}`]);
  return text.trim();
}

async function readTls({ tlsCert, tlsKey }: MockFlags) {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new ConfigurationError(['--tls-cert and --tls-key: give both or neither']);
  }
  const { readFile } = await import('node:fs/promises');
  const read = (flag: string, file: string) =>
    readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new ConfigurationError([`${flag} ${file}: ${fileProblem(error, 'read')}`]);
    });
  const tls = { cert: await read('--tls-cert', tlsCert), key: await read('--tls-key', tlsKey) };
  const { createSecureContext } = await import('node:tls');
  try {
    createSecureContext(tls);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError([`--tls-cert ${tlsCert}, --tls-key ${tlsKey}: not a certificate and its key: ${why}`]);
  }
  return tls;
}

/** Resolves at the first Ctrl-C or SIGTERM; the second one ends the process as usual. */
function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      resolve();
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
  });
}

function latency(value: string): Latency {
  try {
    return parseLatency(value);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

const tokenRule = 'Give 8 to 200 visible characters without blanks.';

const isToken = (value: string) => /^[\x21-\x7e]{8,200}$/.test(value);

function token(value: string): string {
  if (!isToken(value)) throw new InvalidArgumentError(tokenRule);
  return value;
}

const units = { '': 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 } as const;

function bytes(value: string): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?) ?([KMGT]?B)?$/i.exec(value) ?? [];
  const factor = units[(unit.toUpperCase() === 'B' ? '' : unit.toUpperCase()) as keyof typeof units];
  if (number === undefined) throw new InvalidArgumentError('Give a size such as 500MB or 20GB.');
  return Math.floor(Number(number) * factor);
}
