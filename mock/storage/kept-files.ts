import { createReadStream, existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileStore } from './file-store.ts';
import { writeToDisk } from './write-to-disk.ts';

/** A file store that outlives the mock. */
export interface KeptFiles extends FileStore {
  /** What was removed so far and is still on disk. */
  obsolete(): string[];
  /** Removes files for good. */
  purge(names: Iterable<string>): Promise<void>;
  /** Removes for good whatever is not among `used`. Only while nothing is written. */
  keepOnly(used: ReadonlySet<string>): Promise<void>;
}

/**
 * Keeps files in a folder. What is removed stays there until it is purged, because a state file on disk may refer to it
 * until that is written again. `close` keeps everything.
 */
export async function keptFiles(folder: string): Promise<KeptFiles> {
  await mkdir(folder, { recursive: true });
  const removed = new Set<string>();
  const has = (name: string) => !removed.has(name) && existsSync(join(folder, name));
  const purge = async (names: Iterable<string>) => {
    for (const name of names) {
      await rm(join(folder, name), { force: true });
      removed.delete(name);
    }
  };
  return {
    write: (name, bytes) => writeToDisk(folder, name, bytes),
    has,
    read: (name) => (has(name) ? createReadStream(join(folder, name)) : undefined),
    remove: async (name) => void removed.add(name),
    obsolete: () => [...removed],
    purge,
    keepOnly: async (used) => purge((await readdir(folder)).filter((name) => !used.has(name))),
    async close() {},
  };
}
