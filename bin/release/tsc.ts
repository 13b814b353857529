import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { madeOnce, root } from './programs.ts';

const program = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

/**
 * Runs the compiler of TypeScript in this folder.
 * @returns what it prints
 * @throws Error with `stdout`, where it finds something wrong
 */
export function tsc(cwd: string, args: readonly string[]): string {
  // Half of the processor time: threads check each for itself what they share, and Go collects garbage that there is room for.
  const env = { ...process.env, GOGC: '400' };
  return execFileSync(process.execPath, [program, '--singleThreaded', ...args], { cwd, env, encoding: 'utf8' });
}

/** For tests: a folder with the declarations of all that ships, at the same places as in the source. */
export const declarations = (): Promise<string> =>
  madeOnce('types', (folder) => tsc(root, ['-p', 'tsconfig.build.json', '--outDir', folder, '--emitDeclarationOnly']));

/** The entries of the package that have types, such as `./msw`, each with its declarations, which lie in the folder of `declarations`. */
export function typedEntries(): (readonly [entry: string, types: string])[] {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.entries<{ types?: string }>(exports).flatMap(([entry, { types }]) =>
    types === undefined ? [] : [[entry, types.replace('./dist/', '')] as const],
  );
}
