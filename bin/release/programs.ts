import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';

export const root = resolve(import.meta.dirname, '../..');

interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** The expected exit codes. Only 0 by default. */
  readonly codes?: readonly number[];
}

/**
 * Runs a program to its end, for at most 15 minutes.
 * @returns its standard output
 * @throws Error with its output if it ends with another exit code
 */
export async function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { cwd = root, env = process.env, codes = [0] } = options;
  try {
    // npm sometimes waits forever for a registry, and ignores SIGTERM.
    const limits = { timeout: 900_000, killSignal: 'SIGKILL', maxBuffer: 1e9 } as const;
    return (await promisify(execFile)(program, args, { cwd, env, ...limits })).stdout;
  } catch (error) {
    const { code, signal, stdout, stderr } = error as Record<string, string | number>;
    if (codes.includes(Number(code))) return String(stdout);
    throw new Error(`${[program, ...args].join(' ')} ended with ${signal ?? code}:\n${stdout}\n${stderr}`);
  }
}

/** Installs packages from npm into a folder of `.cache/`, unless they are there. @returns its `node_modules` */
export const fromNpm = (name: string, ...packages: string[]): Promise<string> =>
  installed(name, 'node_modules', packages, async (folder) => {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    // --force, because npm refuses packages for another platform.
    await run('npm', ['install', '--no-audit', '--no-fund', '--force', ...packages], { cwd: folder });
  });

/** The same with packages from PyPI. @returns the folder of their programs */
export const fromPip = (name: string, ...packages: string[]): Promise<string> =>
  installed(name, 'venv/bin', packages, async (folder) => {
    const venv = join(folder, 'venv');
    await run('python3', ['-m', 'venv', venv]);
    // uv takes half the time of pip. It uses the certificates of the system, as pip does.
    await run(join(venv, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', 'uv==0.13.9']);
    await run(join(venv, 'bin/uv'), ['pip', 'install', '--quiet', '--system-certs', '--python', venv, ...packages]);
  });

async function installed(
  name: string,
  within: string,
  packages: readonly string[],
  install: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(root, '.cache', name);
  // Written last, so that a broken installation is made again.
  const mark = join(folder, `${packages.join(' ').replace(/[^\w.@-]/g, '_')}.installed`);
  const fresh = async () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await install(folder);
    writeFileSync(mark, '');
  };
  // Two that ask at once wait for the same installation.
  if (!existsSync(mark)) under.set(name, under.get(name) ?? fresh());
  await under.get(name);
  return join(folder, within);
}

/** Installations of this process, by their names. */
const under = new Map<string, Promise<void>>();

/**
 * Builds and packs the package as `npm publish` would, or copies the tarball in `PARTNERKIT_TARBALL`.
 * @returns the path of the tarball, in a folder of its own
 */
export async function pack(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-pack-'));
  const packed = process.env.PARTNERKIT_TARBALL;
  if (packed) copyFileSync(packed, join(folder, basename(packed)));
  else await run('npm', ['pack', '--pack-destination', folder]);
  return join(folder, readdirSync(folder)[0] ?? '');
}
