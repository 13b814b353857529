import { type Command, InvalidArgumentError, Option } from 'commander';
import { ConfigurationError } from '../../spec/configuration-error.ts';

interface MockFlags {
  readonly port: number;
  readonly host: string;
  readonly fixtures?: string;
  readonly rate?: number;
  readonly burst?: number;
  readonly rateLimit: boolean;
  readonly publicUrl?: string;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** `partnerkit mock`: serves the API from seeded tenants until it is interrupted. */
export function addMockCommand(program: Command): void {
  program
    .command('mock')
    .description('serve the whole partner API offline, from seeded tenants')
    .addOption(
      new Option('--port <number>', 'port to listen on; 0 takes a free one').default(4010).argParser(portNumber),
    )
    .option('--host <address>', 'interface to listen on', '127.0.0.1')
    .option('--fixtures <path>', 'folder or file of tenants to serve in place of the packaged ones')
    .addOption(
      new Option('--rate <number>', 'requests per second of keys without a limit of their own').argParser(positive),
    )
    .addOption(new Option('--burst <number>', 'burst of keys without a limit of their own').argParser(positiveInteger))
    .option('--no-rate-limit', 'never answer 429')
    .addOption(
      new Option('--public-url <url>', 'address that clients use, for upload URLs behind a proxy').argParser(origin),
    )
    .option('--quiet', 'print only the address')
    .option('--json', 'print JSON lines for machines')
    .addHelpText('after', '\nExample:\n  partnerkit mock --port 0 --rate 5 --burst 10')
    .action(start);
}

async function start(flags: MockFlags): Promise<void> {
  const [{ createMock, listen }, { describeMock }, seeds] = await Promise.all([
    import('../../mock/index.ts'),
    import('../describe-mock.ts'),
    readSeeds(flags.fixtures),
  ]);
  const { rate: perSecond, burst } = flags;
  const mock = await createMock({
    seeds,
    rateLimit: flags.rateLimit && { perSecond, burst },
    publicUrl: flags.publicUrl,
  });
  const listening = await listen(mock, { port: flags.port, host: flags.host }).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError([cannotListen(error, flags)]);
  });
  process.stdout.write(describeMock(listening.url, seeds, mock, flags));

  await interrupted();
  await listening.close();
  await mock.close();
}

async function readSeeds(path: string | undefined) {
  if (path === undefined) return (await import('../../mock/seed/generated/tenants.ts')).defaultSeeds;
  return (await import('../../mock/seed/load.ts')).loadSeeds(path);
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

function cannotListen(error: NodeJS.ErrnoException, { host, port }: MockFlags): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is taken; stop what listens there, or give another --port (0 takes a free one)`;
    case 'EACCES':
      return `port ${port} on ${host} is not permitted to this user; give a --port above 1023`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `--host ${host} is no address of this machine; give 127.0.0.1, ::1 or 0.0.0.0`;
    default:
      return `cannot listen on ${host}:${port}: ${error.message}`;
  }
}

function portNumber(value: string): number {
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > 65_535) throw new InvalidArgumentError('Give a whole number from 0 to 65535.');
  return port;
}

function positive(value: string): number {
  const number = Number(value);
  if (!Number.isFinite(number) || number <= 0) throw new InvalidArgumentError('Give a number above 0.');
  return number;
}

function positiveInteger(value: string): number {
  if (!/^[1-9]\d*$/.test(value)) throw new InvalidArgumentError('Give a whole number of at least 1.');
  return Number(value);
}

function origin(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.origin !== value.replace(/\/$/, '')) {
    throw new InvalidArgumentError('Give scheme and host without a path, for example http://mock.internal:8080.');
  }
  return url.origin;
}
