import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import * as http from 'node:http';
import { join } from 'node:path';
import { k6Version } from './k6-version.ts';

/** Where k6's releases are; `K6_RELEASES` names a mirror. */
const usualReleases = 'https://github.com/grafana/k6/releases/download';
/** Bytes: k6 has some 30 MB. */
const largest = 300 * 2 ** 20;

const systems: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'macos', win32: 'windows' };
const machines: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

export interface Install {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that gets k6. */
  readonly into: string;
  /** Told what goes on, about once a second. */
  readonly onProgress: (text: string) => void;
  /** Milliseconds without a byte after which a download is given up. Default 5 s: where no route leads out, nobody should wait. */
  readonly silenceMs?: number;
}

/** The name of k6's program. */
export const k6Program = process.platform === 'win32' ? 'k6.exe' : 'k6';

/**
 * Puts the released program of k6 into a folder, after its SHA-256 was compared with that of the release.
 * @throws Error that says why there is none to be had
 */
export async function installRelease({ env, into, onProgress, silenceMs = 5000 }: Install): Promise<void> {
  const [system, machine] = [systems[process.platform], machines[process.arch]];
  if (system === undefined || machine === undefined)
    throw new Error(`there is no release for ${process.platform} on ${process.arch}`);
  // fetch goes through the proxies of the environment only if it is told to; older versions of Node cannot.
  (http as { setGlobalProxyFromEnv?(): unknown }).setGlobalProxyFromEnv?.();
  const name = `k6-v${k6Version}-${system}-${machine}`;
  const archive = `${name}.${system === 'linux' ? 'tar.gz' : 'zip'}`;
  const folder = `${(env.K6_RELEASES || usualReleases).replace(/\/+$/, '')}/v${k6Version}`;
  const sums = (await download(`${folder}/k6-v${k6Version}-checksums.txt`, silenceMs)).toString('utf8');
  const expected = sums
    .split('\n')
    .map((line) => line.trim().split(/\s+\*?/))
    .find(([, named]) => named === archive)?.[0];
  if (expected === undefined) throw new Error(`the release has no checksum of ${archive}`);
  const bytes = await download(`${folder}/${archive}`, silenceMs, (got, all) =>
    onProgress(`${megabytes(got)}${all > 0 ? ` of ${megabytes(all)}` : ''} MB of k6 ${k6Version}`),
  );
  const actual = createHash('sha256').update(bytes).digest('hex');
  if (actual !== expected.toLowerCase())
    throw new Error(`${folder}/${archive} has the SHA-256 ${actual}, not ${expected}: it is not used`);
  const work = mkdtempSync(join(into, '.k6-'));
  try {
    writeFileSync(join(work, archive), bytes);
    // Every system's tar unpacks what is released for that system: Windows' and macOS' read zip too.
    await unpack(join(work, archive), work);
    renameSync(join(work, name, k6Program), join(into, k6Program));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);

async function download(
  url: string,
  silenceMs: number,
  onBytes: (got: number, all: number) => void = () => {},
): Promise<Buffer> {
  const controller = new AbortController();
  const giveUp = () => controller.abort(new Error(`no byte came for ${silenceMs / 1000} s`));
  let silence = setTimeout(giveUp, silenceMs);
  try {
    const response = await fetch(url, { signal: controller.signal });
    if (!response.ok || response.body === null) throw new Error(`answered ${response.status}`);
    const pieces: Uint8Array[] = [];
    let got = 0;
    const all = Number(response.headers.get('content-length') ?? 0);
    for await (const piece of response.body) {
      clearTimeout(silence);
      silence = setTimeout(giveUp, silenceMs);
      pieces.push(piece);
      got += piece.length;
      if (got > largest) throw new Error('is too large for a k6');
      onBytes(got, all);
    }
    return Buffer.concat(pieces);
  } catch (error) {
    // fetch says no more than "fetch failed", and why in the cause.
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new Error(`${url}: ${cause instanceof Error ? cause.message || cause.name : String(cause)}`);
  } finally {
    clearTimeout(silence);
    controller.abort();
  }
}

function unpack(archive: string, folder: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const tar = spawn('tar', ['-xf', archive, '-C', folder], { stdio: 'ignore' });
    tar.on('error', reject);
    tar.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`tar could not unpack ${archive}`))));
  });
}
