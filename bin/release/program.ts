import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { assemble, notShipped, parts } from './assemble.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, '.cache/program');

/** When something that ships, or a package, was changed last. */
function changedAt(): number {
  const newest = (path: string): number => {
    const state = statSync(path);
    if (!state.isDirectory()) return state.mtimeMs;
    const names = readdirSync(path).filter((name) => !notShipped.has(name) && !name.includes('.test.'));
    return Math.max(0, ...names.map((name) => newest(join(path, name))));
  };
  return Math.max(...[...parts, 'package-lock.json', 'bin/release/bundle.ts'].map((part) => newest(join(root, part))));
}

/** Workers begin at the same time: waits for the first of them, and half a minute where that one was ended. */
async function madeByAnother(made: string): Promise<boolean> {
  try {
    mkdirSync(`${made}.taken`);
    return false;
  } catch {
    for (let waits = 0; !existsSync(made) && waits < 300; waits += 1) await setTimeout(100);
    return existsSync(made);
  }
}

/** Bundles it unless that was done since the last change. Another run may do the same at the same time. */
async function bundled(): Promise<string> {
  const made = join(folder, String(Math.round(changedAt())));
  if (existsSync(made)) return made;
  mkdirSync(folder, { recursive: true });
  if (await madeByAnother(made)) return made;
  const making = mkdtempSync(join(folder, 'making-'));
  await assemble(root, making);
  mkdirSync(join(making, 'mock/console'), { recursive: true });
  symlinkSync(join(root, 'mock/console/dist'), join(making, 'mock/console/dist'));
  // Earlier ones stay for an hour, because a run may still use them.
  const isOld = (name: string) => Date.now() - statSync(join(folder, name)).mtimeMs > 3_600_000;
  for (const name of readdirSync(folder).filter(isOld)) rmSync(join(folder, name), { recursive: true, force: true });
  try {
    renameSync(making, made);
  } catch (error) {
    // Another run was faster.
    if (!existsSync(made)) throw error;
    rmSync(making, { recursive: true });
  }
  return made;
}

/**
 * The command for tests that start it as a process: the bundle that ships, which starts in a third of the time that its sources
 * take.
 */
export const program = join(await bundled(), 'bin/partnerkit.js');
