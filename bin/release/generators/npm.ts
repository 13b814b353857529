import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../package-check/command.ts';

/** Installs packages into a folder, if they are missing. @returns a function that runs one of their commands there */
export async function npmTools(folder: string, packages: readonly string[], env: Readonly<Record<string, string>>) {
  const all = { ...process.env, ...env };
  if (!existsSync(join(folder, 'package.json'))) {
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
    const args = ['install', '--no-audit', '--no-fund', ...packages];
    await runCommand('npm', args, { cwd: folder, env: all, timeout: 600_000 });
  }
  return (command: string, ...args: string[]) => {
    const own = join(folder, 'node_modules/.bin', command);
    return runCommand(existsSync(own) ? own : command, args, { cwd: folder, env: all, timeout: 300_000 });
  };
}

/** Type-checks a TypeScript program with the compiler of the folder, and runs it. */
export async function checkAndRun(run: Awaited<ReturnType<typeof npmTools>>, file: string): Promise<string> {
  await run(
    'tsc',
    ...['--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions'],
    ...['--target', 'es2023', '--module', 'esnext', '--moduleResolution', 'bundler', '--types', 'node', file],
  );
  return run('tsx', file);
}
