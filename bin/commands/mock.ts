import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { type Latency, latencySampler } from '../../mock/faults/latency.ts';
import type { Mock } from '../../mock/index.ts';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { interruption } from '../../spec/interruption.ts';
import { cannotListen } from '../cannot-listen.ts';
import { readProfile, readSeeds } from '../mock-files.ts';
import {
  type FlagsOf,
  httpUrl,
  numberOf,
  parser,
  portNumber,
  positive,
  positiveInteger,
  textOf,
} from '../option-values.ts';

const token = textOf('8 to 200 visible characters without blanks', /^[\x21-\x7e]{8,200}$/);

const probability = numberOf('a number above 0, and 1 at most', (number) => number > 0 && number <= 1);

const units: Readonly<Record<string, number>> = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

const bytes = parser('a size such as 500MB or 20GB', (text) => {
  const [, number, unit = 'B'] = /^(\d+(?:\.\d+)?) ?([KMGT]?B)?$/i.exec(text) ?? [];
  return number === undefined ? undefined : Math.floor(Number(number) * (units[unit.toUpperCase()] ?? 1));
});

/** `partnerkit mock`: serves a mock of the API until it is interrupted. */
export const define = (command: Command) => withOptions(command).action(start);

const withOptions = (command: Command) =>
  command
    .option('--port <number>', 'port to listen on; 0 chooses a free one', portNumber, 4010)
    .option('--host <address>', 'interface to listen on', '127.0.0.1')
    .option('--fixtures <path>', 'folder or file with the tenants to serve, instead of the packaged ones')
    .option('--profile <file>', 'behave like the deployment that this profile describes')
    .option('--passthrough <target>', 'send what the mock does not know to this deployment: a URL, or a target file')
    .option('--rate <number>', 'requests per second of keys without a limit of their own', positive)
    .option('--burst <number>', 'burst of keys without a limit of their own', positiveInteger)
    .option('--no-rate-limit', 'never answer 429')
    .option('--public-url <url>', 'address that clients use, for upload URLs behind a proxy; may have a path', httpUrl)
    .option('--trust-proxy', 'believe X-Forwarded-Host, -Proto and -Prefix, or Forwarded, of the proxy in front')
    .option('--state <file>', 'keep the state in this file, and uploads, a secret and a lock beside it')
    .addOption(
      new Option('--control-token <token>', 'Bearer token that callers of /_mock must send')
        .env('PARTNERKIT_CONTROL_TOKEN')
        .argParser(token),
    )
    .addOption(
      new Option('--storage-limit <size>', 'maximum size of all uploaded files together, such as 500MB or 20GB')
        .default(undefined, '1GB')
        .argParser(bytes),
    )
    .option('--latency <spec>', 'delay every reply: 200ms, or tail:MEDIAN,P99', latency)
    .option('--tls-cert <file>', 'serve https with this certificate (PEM)')
    .option('--tls-key <file>', 'the private key of --tls-cert (PEM)')
    .option('--wrong <id>', 'break one rule on purpose, to see who notices; `--wrong list` shows every way')
    .option('--habit <id>', 'keep every rule in an unusual way, which no check should refuse; `--habit list` shows all')
    .option('--chance <number>', 'how likely a request meets --wrong: 0.1 is one in ten', probability)
    .option('--seed <number>', 'which requests meet it, with --chance', positiveInteger)
    .option('--log', 'print every request, which a terminal gets without it')
    .option('--quiet', 'print only the address')
    .option('--json', 'print JSON lines')
    .addHelpText('after', '\nExample:\n  partnerkit mock --port 0 --rate 5 --burst 10');

type MockFlags = FlagsOf<typeof withOptions>;

async function start(flags: MockFlags): Promise<void> {
  if (flags.wrong === 'list' || flags.habit === 'list') {
    const { describeWrongWays } = await import('../wrong-ways.ts');
    process.stdout.write(await describeWrongWays(flags));
    return;
  }
  const watched = await watchFixtures(flags.fixtures);
  const [{ createServedMock }, { describeMock }, seeds, profile, passthrough, tls, wrong, state] = await Promise.all([
    import('../../mock/adapters/create-served-mock.ts'),
    import('../describe-mock.ts'),
    flags.fixtures === undefined ? undefined : readSeeds(flags.fixtures),
    readProfile(flags.profile),
    readPassthrough(flags),
    tlsOf(flags),
    readWrong(flags),
    flags.state === undefined
      ? undefined
      : import('../../mock/state/state-file.ts').then((m) => m.openStateFile(flags.state ?? '')),
  ]);
  const { rate: perSecond, burst, latency } = flags;
  const limit = (perSecond ?? burst) === undefined ? undefined : { perSecond, burst };
  const mock = await createServedMock({
    seeds,
    rateLimit: flags.rateLimit && limit,
    publicUrl: flags.publicUrl,
    latency,
    storageLimit: flags.storageLimit,
    profile,
    passthrough,
    wrong,
    ...(state && { files: state.files, uploadSecret: state.uploadSecret }),
  });
  await state?.load(mock);
  const control = { token: flags.controlToken };
  const listening = await mock
    .listen({ port: flags.port, host: flags.host, tls, control, trustProxy: flags.trustProxy ?? false })
    .catch((error: NodeJS.ErrnoException) => {
      throw new ConfigurationError([cannotListen(error, flags)]);
    });
  const unwatch = watched?.(mock);
  await startLog(flags, mock);
  // Handlers are set before the address is printed, because a reader of the address may end the mock at once.
  const interrupted = new Promise<void>((resolve) => interruption(resolve));
  process.stdout.write(describeMock(listening, mock, flags));
  if (mock.wrong && !flags.quiet && !flags.json) {
    const { describeWrong } = await import('../wrong-ways.ts');
    process.stdout.write(await describeWrong(mock, listening.url));
  }
  const stopSaving = state?.keepSaving(mock, 1_000, (error) => complain('the state could not be saved', error));

  await interrupted;
  unwatch?.();
  await listening.close();
  await stopSaving?.();
  state?.release();
  await mock.close();
}

/** What the mock does wrongly on purpose. The ways are loaded only where one is asked for. */
async function readWrong({ wrong: id, habit: name, chance, seed }: MockFlags) {
  if (id === undefined && name === undefined) {
    if (chance === undefined && seed === undefined) return undefined;
    throw new ConfigurationError(['--chance and --seed: they need --wrong']);
  }
  if (id !== undefined && name !== undefined) throw new ConfigurationError(['--wrong and --habit: give one of them']);
  const { wrong, habit } = await import('../../mock/wrong/wrong.ts');
  return id === undefined ? habit(name as string) : wrong(id, { chance, seed });
}

async function startLog({ log = false, quiet = false, json = false }: MockFlags, mock: Mock): Promise<void> {
  if (quiet || !(log || process.stdout.isTTY)) return;
  const { logLine } = await import('../request-log.ts');
  mock.journal.subscribe((exchange) => process.stdout.write(logLine(exchange, json)));
}

async function readPassthrough({ passthrough: target }: MockFlags) {
  if (target === undefined || /^https?:/i.test(target)) return target;
  const { loadTarget } = await import('../../spec/files/target.ts');
  return loadTarget(target);
}

/**
 * Serves changes of fixture files at once. A file with a mistake changes nothing.
 * @returns watches the files for a mock, and returns what stops that
 */
async function watchFixtures(path: string | undefined) {
  if (path === undefined) return undefined;
  const { seedsState, watchSeeds } = await import('../../mock/seed/watch-seeds.ts');
  const loaded = await seedsState(path);
  const onError = (error: unknown) => complain('the changed fixtures have a mistake, so the old ones stay', error);
  return (mock: Mock) => watchSeeds(path, loaded, (seeds) => mock.reseed(seeds), onError);
}

/** Prints one line to standard error. */
function complain(what: string, error: unknown): void {
  const [first, ...more] = error instanceof ConfigurationError ? error.problems : [String(error)];
  const others = more.length > 0 ? ` (and ${more.length} more)` : '';
  process.stderr.write(`partnerkit: ${what}: ${first?.replaceAll('\n', ' ')}${others}\n`);
}

async function tlsOf({ tlsCert, tlsKey }: MockFlags) {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  const { readTls } = await import('../../spec/files/tls.ts');
  const given = { ...(tlsCert && { cert: tlsCert }), ...(tlsKey && { key: tlsKey }) };
  const { cert = '', key = '' } = readTls(given, '.', '--tls-');
  return { cert, key };
}

/** Reads `200ms`, or `tail:50ms,2s` (median, p99). */
export function latency(text: string): Latency {
  const [, median = '', p99 = ''] = /^tail:([^,]+),([^,]+)$/.exec(text) ?? [];
  const given = median === '' ? text : { median, p99 };
  try {
    latencySampler(given, Math.random);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new InvalidArgumentError(`${why}. Forms: 200ms, tail:50ms,2s (median, p99)`);
  }
  return given;
}
