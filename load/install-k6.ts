import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import * as http from 'node:http';
import { join } from 'node:path';
import { ConfigurationError } from '../spec/files/configuration-error.ts';

/** The version of k6 with which the scenarios were tried. */
export const k6Version = '2.2.0';

export const k6Program = process.platform === 'win32' ? 'k6.exe' : 'k6';

export const installPage = 'https://grafana.com/docs/k6/latest/set-up/install-k6/';

const systems: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'macos', win32: 'windows' };
const machines: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Milliseconds for the first answer and for the whole download: where no route leads out, nobody should wait long. */
const [firstAnswerMs, downloadMs] = [10_000, 600_000];

interface Install {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly into: string;
  readonly say: (text: string) => void;
}

/**
 * Puts k6 into a folder: its release, whose checksum is compared, or a build with Go where the release cannot be had.
 * @returns the path of the program
 * @throws ConfigurationError if both fail
 */
export async function installK6({ env, into, say }: Install): Promise<string> {
  mkdirSync(into, { recursive: true });
  const work = mkdtempSync(join(into, '.k6-'));
  const path = join(into, k6Program);
  try {
    const built = await release(work, env, say).catch((error: Error) => {
      say(`${error.message}; building k6 ${k6Version} with Go: some minutes`);
      return buildWithGo(work, env);
    });
    renameSync(built, path);
    return path;
  } catch (error) {
    const why = Object(error).code === 'ENOENT' ? 'Go is not installed' : error;
    const byHand = `install it by hand (${installPage}), and put it on the PATH`;
    throw new ConfigurationError([`k6 was not installed: ${why}; ${byHand}`]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function release(work: string, env: Install['env'], say: Install['say']): Promise<string> {
  // fetch uses the proxies of the environment only if it is told to; older versions of Node cannot.
  (http as { setGlobalProxyFromEnv?(): unknown }).setGlobalProxyFromEnv?.();
  const name = `k6-v${k6Version}-${systems[process.platform]}-${machines[process.arch]}`;
  const archive = `${name}.${process.platform === 'linux' ? 'tar.gz' : 'zip'}`;
  const usual = 'https://github.com/grafana/k6/releases/download';
  const folder = `${(env.K6_RELEASES || usual).replace(/\/+$/, '')}/v${k6Version}`;
  const sums = (await download(`${folder}/k6-v${k6Version}-checksums.txt`, firstAnswerMs)).toString();
  const expected = sums.split('\n').find((line) => line.trimEnd().endsWith(` ${archive}`));
  if (expected === undefined) throw new Error(`the release has no checksum of ${archive}`);
  say(`downloading ${folder}/${archive}`);
  const bytes = await download(`${folder}/${archive}`, downloadMs);
  const actual = createHash('sha256').update(bytes).digest('hex');
  if (!expected.startsWith(actual)) throw new Error(`${archive} has the SHA-256 ${actual}, not that of the release`);
  writeFileSync(join(work, archive), bytes);
  // The tar of Windows and of macOS reads zip as well.
  execFileSync('tar', ['-xf', join(work, archive), '-C', work], { stdio: 'ignore' });
  return join(work, name, k6Program);
}

async function download(url: string, timeoutMs: number): Promise<Buffer> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) throw new Error(`answered ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  } catch (error) {
    // fetch says "fetch failed", and why in the cause.
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new Error(`${url}: ${cause instanceof Error ? cause.message || cause.name : cause}`);
  }
}

/** Not by `go install`, which also asks for the newest release. The module's own folder has the go.sum of the release. */
function buildWithGo(work: string, env: Install['env']): string {
  const go = (args: readonly string[], cwd?: string) =>
    execFileSync('go', args, { env: { ...env, CGO_ENABLED: '0' }, stdio: ['ignore', 'pipe', 'inherit'], cwd });
  const { Dir } = JSON.parse(go(['mod', 'download', '-json', `go.k6.io/k6/v2@v${k6Version}`]).toString());
  const built = join(work, k6Program);
  go(['build', '-mod=readonly', '-trimpath', '-buildvcs=false', '-ldflags=-s -w', '-o', built, '.'], Dir);
  return built;
}
