import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { notShipped, parts } from './assemble.ts';

const root = resolve(import.meta.dirname, '../..');
/** What is made depends on these, beside what ships. */
const files = ['package-lock.json', 'bin/release/bundle.ts', 'tsconfig.json', 'tsconfig.build.json'];

/** When something that ships, or a package, was changed last. */
function changedAt(): number {
  const newest = (path: string): number => {
    const state = statSync(path);
    if (!state.isDirectory()) return state.mtimeMs;
    const names = readdirSync(path).filter((name) => !notShipped.has(name) && !name.includes('.test.'));
    return Math.max(0, ...names.map((name) => newest(join(path, name))));
  };
  return Math.max(...[...parts, ...files].map((part) => newest(join(root, part))));
}

/** Whether nobody had it. */
function take(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

/**
 * For what tests make of all that ships: it is made again only where something has changed, and workers that begin together wait
 * for the one that makes it.
 * @param make fills an empty folder
 * @returns the folder, in `.cache`
 */
export async function madeOnce(name: string, make: (folder: string) => unknown): Promise<string> {
  const folder = join(root, '.cache', name);
  const made = join(folder, String(Math.round(changedAt())));
  if (existsSync(made)) return made;
  mkdirSync(folder, { recursive: true });
  const taken = `${made}.taken`;
  // Not for ever: who makes it may have been killed.
  for (let waits = 0; !take(taken) && !existsSync(made) && waits < 600; waits += 1) await setTimeout(100);
  try {
    if (!existsSync(made)) await fill(folder, made, make);
  } finally {
    rmSync(taken, { recursive: true, force: true });
  }
  return made;
}

async function fill(folder: string, made: string, make: (folder: string) => unknown): Promise<void> {
  const making = mkdtempSync(join(folder, 'making-'));
  await make(making);
  // Earlier ones stay for an hour, because a run may still use them.
  const isOld = (name: string) => Date.now() - statSync(join(folder, name)).mtimeMs > 3_600_000;
  for (const name of readdirSync(folder).filter(isOld)) rmSync(join(folder, name), { recursive: true, force: true });
  try {
    renameSync(making, made);
  } catch (error) {
    // Somebody else was faster.
    if (!existsSync(made)) throw error;
    rmSync(making, { recursive: true });
  }
}
