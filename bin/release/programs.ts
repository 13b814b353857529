import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
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

/** Installs packages from npm into a folder of `.cache/`. @returns its `node_modules` */
export const fromNpm = (name: string, ...packages: string[]): Promise<string> =>
  // --force, because npm refuses packages for another platform.
  installed(name, 'node_modules', [
    ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', '--force', '--prefix', '.', ...packages],
  ]);

/** The same with packages from PyPI. @returns the folder of their programs */
export const fromPip = (name: string, ...packages: string[]): Promise<string> =>
  // uv takes half the time of pip. It uses the certificates of the system, as pip does.
  installed(name, 'venv/bin', [
    ['python3', '-m', 'venv', 'venv'],
    ['venv/bin/pip', 'install', '--quiet', '--disable-pip-version-check', 'uv==0.13.9'],
    ['venv/bin/uv', 'pip', 'install', '--quiet', '--system-certs', '--python', 'venv', ...packages],
  ]);

/** Installations of this process, by their names: two that ask at once wait for the same one. */
const under = new Map<string, Promise<string>>();

/** Runs commands that leave alone what is there already. */
function installed(name: string, within: string, commands: readonly (readonly string[])[]): Promise<string> {
  const install = async () => {
    const folder = join(root, '.cache', name);
    mkdirSync(folder, { recursive: true });
    for (const [program = '', ...args] of commands) await run(program, args, { cwd: folder });
    return join(folder, within);
  };
  const installing = under.get(name) ?? install();
  under.set(name, installing);
  return installing;
}

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

/** When a file that ships was changed last. */
function changedAt(): number {
  const files = globSync(
    ['{spec,mock,conformance,load,fidelity,bin,fixtures}/**/*.*', 'package-lock.json', 'tsconfig.build.json'],
    {
      cwd: root,
      exclude: (path) => /(?:^|\/)(?:node_modules|console|python|proof)$|\.test\./.test(path),
    },
  );
  return Math.round(Math.max(...files.map((file) => statSync(join(root, file)).mtimeMs)));
}

/**
 * For what tests make of all that ships: it is made again only if a source has changed.
 * @param make fills an empty folder
 * @returns the folder, in `.cache`
 */
export async function madeOnce(name: string, make: (folder: string) => unknown): Promise<string> {
  const folder = join(root, '.cache', name);
  const made = join(folder, String(changedAt()));
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
