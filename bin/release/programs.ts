import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../spec/proof/processes.ts';

export const root = resolve(import.meta.dirname, '../..');

interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** The expected exit codes. Only 0 by default. */
  readonly codes?: readonly number[];
  /** After which it is ended; 15 by default. */
  readonly minutes?: number;
}

/**
 * Runs a program to its end, without standard input.
 * @returns its standard output
 * @throws Error with its output if it ends with another exit code
 */
export async function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { cwd = root, env = process.env, codes = [0], minutes = 15 } = options;
  try {
    // npm sometimes waits forever for a registry, and ignores SIGTERM.
    const limits = { timeout: minutes * 60_000, killSignal: 'SIGKILL', maxBuffer: 1e9 } as const;
    const running = promisify(execFile)(program, args, { cwd, env, ...limits });
    running.child.stdin?.end();
    return (await running).stdout;
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
 * @returns the tarball, which is removed at the end of the scope
 */
export async function pack() {
  const folder = temporaryFolder('pack');
  const packed = process.env.PARTNERKIT_TARBALL;
  if (packed) copyFileSync(packed, folder.at(basename(packed)));
  else await run('npm', ['pack', '--pack-destination', folder.path]);
  return { ...folder, path: folder.at(readdirSync(folder.path)[0] ?? '') };
}

/** What is made depends on these. */
const sources = [
  'spec',
  'mock',
  'conformance',
  'load',
  'fidelity',
  'bin',
  'fixtures',
  'package-lock.json',
  'tsconfig.build.json',
];
const ignored = ['node_modules', 'console', 'python', 'proof'];

/** When one of the files was changed last. */
function changedAt(path: string): number {
  const state = statSync(path);
  if (!state.isDirectory()) return state.mtimeMs;
  const names = readdirSync(path).filter((name) => !ignored.includes(name) && !name.includes('.test.'));
  return Math.max(0, ...names.map((name) => changedAt(join(path, name))));
}

/**
 * For what tests make of all that ships: it is made again only if a source has changed.
 * @param make fills an empty folder
 * @returns the folder, in `.cache`
 */
export async function madeOnce(name: string, make: (folder: string) => unknown): Promise<string> {
  const folder = join(root, '.cache', name);
  const made = join(folder, String(Math.round(Math.max(...sources.map((source) => changedAt(join(root, source)))))));
  if (existsSync(made)) return made;
  mkdirSync(folder, { recursive: true });
  const making = mkdtempSync(join(folder, 'making-'));
  await make(making);
  // Earlier ones stay for an hour, because a run may still use them.
  const isOld = (each: string) => Date.now() - statSync(join(folder, each)).mtimeMs > 3_600_000;
  for (const each of readdirSync(folder).filter(isOld)) rmSync(join(folder, each), { recursive: true, force: true });
  try {
    renameSync(making, made);
  } catch (error) {
    // Another worker was faster.
    if (!existsSync(made)) throw error;
    rmSync(making, { recursive: true });
  }
  return made;
}
