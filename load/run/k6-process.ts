import { execFile } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { createWriteStream, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { getCACertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { ConfigurationError, fileProblem } from '../../spec/files/configuration-error.ts';
import { isNearby } from '../../spec/may-reach.ts';
import { packaged } from '../../spec/package-facts.ts';
import { proxyFor } from '../../spec/proxy-for.ts';
import type { PreparedRun } from './prepare-run.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Seconds beyond the planned end that k6 gets for its preflight, its teardown and replies that are late. */
const lateSeconds = 300;

/** What k6 starts: TypeScript here, JavaScript where the package was built. k6 runs both. */
const script = fileURLToPath(packaged(`load/k6/main${import.meta.filename.endsWith('.ts') ? '.ts' : '.js'}`));

/** What a prepared scenario is to k6, and how long it may take. A k6 that runs it writes its raw output to standard output. */
export async function k6Run(prepared: PreparedRun, env: Variables) {
  const { target, secrets, traffic } = prepared;
  const folder = await runFolder(prepared, env);
  const quiet = ['--quiet', '--log-format=json', '--summary-mode=disabled', '--no-usage-report'];
  return {
    // The API of k6 would take a port that another run may hold.
    args: ['run', ...quiet, '--address=', '-e', `RUN=${folder.file}`, '--out=json=-', script],
    env: {
      // Go collects its garbage less often, which takes a tenth of k6's time off, for some more memory.
      GOGC: '200',
      ...env,
      ...secrets,
      ...trustEnvironment(folder.path, target.tls?.ca, env),
    },
    maxDuration: (traffic.seconds + lateSeconds) * 1000,
    [Symbol.dispose]: folder[Symbol.dispose],
  };
}

/**
 * Packs scenario, target and settings into one file that `k6 run` takes anywhere, without secrets.
 * @throws ConfigurationError for a target with a client certificate, whose key would be in the archive
 */
export async function archiveWithK6(
  prepared: PreparedRun,
  { k6, env, file }: { readonly k6: string; readonly env: Variables; readonly file: string },
): Promise<void> {
  if (prepared.target.tls?.cert !== undefined)
    throw new ConfigurationError([
      'tls.cert: an archive cannot show a client certificate without holding its key; use load run',
    ]);
  using folder = await runFolder(prepared, env);
  const settings = ['--no-color', '--include-system-env-vars=false', '-e', `RUN=${folder.file}`];
  await promisify(execFile)(k6, ['archive', ...settings, '-O', file, script]);
}

/** A folder that only this user reads, with the run file in it; removed at the end of the scope. */
async function runFolder({ file, target }: PreparedRun, env: Variables) {
  const proxies = ['http://any.invalid', 'https://any.invalid'].flatMap((url) => proxyFor(url, env)?.hostname ?? []);
  const near = (await addressesOf(new URL(target.baseUrl).hostname)).some(isNearby);
  const path = mkdtempSync(join(tmpdir(), 'partnerkit-load-'));
  const written = { ...file, near, proxies: (await Promise.all(proxies.map(addressesOf))).flat() };
  writeFileSync(join(path, 'run.json'), JSON.stringify(written));
  return {
    path,
    file: join(path, 'run.json'),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

async function addressesOf(host: string): Promise<string[]> {
  const found = await lookup(host.replace(/^\[|\]$/g, ''), { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

/**
 * Opens a file for k6's raw output, and gives what writes it there; compressed where its name ends in `.gz`.
 * @throws ConfigurationError when the file cannot be written, before anything is sent
 */
export function keepRaw(file: string): (raw: Readable) => Promise<void> {
  let fd: number;
  try {
    fd = openSync(file, 'w');
  } catch (error) {
    throw new ConfigurationError([`${file}: ${fileProblem(error, 'written')}`]);
  }
  const out = createWriteStream('', { fd });
  return (raw) => (file.endsWith('.gz') ? pipeline(raw, createGzip(), out) : pipeline(raw, out));
}

/** Go reads authorities from SSL_CERT_FILE, and not from NODE_EXTRA_CA_CERTS; on macOS and Windows it asks the system alone. */
function trustEnvironment(folder: string, ca: string | undefined, env: Variables) {
  const { SSL_CERT_FILE: own = '', NODE_EXTRA_CA_CERTS: extra } = env;
  if (ca === undefined && !extra) return {};
  const file = join(folder, 'authorities.pem');
  const given = existsSync(own) ? [readFileSync(own, 'utf8')] : [];
  writeFileSync(file, [...given, ...getCACertificates('default'), ca ?? ''].join('\n'));
  return { SSL_CERT_FILE: file };
}
