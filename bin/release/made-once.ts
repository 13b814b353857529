import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './programs.ts';

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
