import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../package-check/command.ts';

interface ToolOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The expected exit codes. Only 0 by default. */
  readonly codes?: readonly number[];
}
type Run = (command: string, ...args: string[]) => Promise<string>;

/** Installs packages from npm into a folder, unless it has exactly these. @returns a function that runs a command there, preferably one of theirs */
export const npmTools = (folder: string, packages: readonly string[], options?: ToolOptions) =>
  tools(folder, packages, 'node_modules/.bin', options, async (run) => {
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
    await run('npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages);
  });

/** The same with packages from PyPI. */
export const pipTools = (folder: string, packages: readonly string[], options?: ToolOptions) =>
  tools(folder, packages, 'venv/bin', options, async (run) => {
    await run('python3', '-m', 'venv', 'venv');
    // uv takes half the time of pip. It uses the certificates of the system, as pip does.
    await run('pip', 'install', '--quiet', '--disable-pip-version-check', 'uv==0.13.9');
    await run('uv', 'pip', 'install', '--quiet', '--system-certs', '--python', 'venv/bin/python', ...packages);
  });

async function tools(
  folder: string,
  packages: readonly string[],
  bin: string,
  { env, codes = [0] }: ToolOptions = {},
  install: (run: Run) => Promise<void>,
): Promise<Run> {
  const runEnding =
    (...codes: number[]): Run =>
    (command, ...args) => {
      const own = join(folder, bin, command);
      const options = { cwd: folder, env: { ...process.env, ...env }, timeout: 900_000, codes };
      return runCommand(existsSync(own) ? own : command, args, options);
    };
  // Written last, so that a broken installation is made again.
  const list = join(folder, 'installed.json');
  const wanted = JSON.stringify(packages);
  if (!existsSync(list) || readFileSync(list, 'utf8') !== wanted) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await install(runEnding(0));
    writeFileSync(list, wanted);
  }
  return runEnding(...codes);
}
