import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { chmod, lstat, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeToDisk } from '../storage/disk-files.ts';
import type { FileStore } from '../storage/files.ts';

/** The files that a mock has written. Other files in the folder are never touched. */
const blobsIn = (folder: string) =>
  readdirSync(folder).filter((name) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?:\..*\.part)?$/.test(name));

/**
 * Keeps files in a folder that only its owner may read. Removed files stay on disk until they are purged, because the state
 * file may refer to them until it is written again. `close` keeps everything.
 */
export async function keptFiles(folder: string) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await lstat(folder)).isSymbolicLink()) throw new Error(`${folder} is a link; name a folder`);
  await chmod(folder, 0o700);
  const removed = new Set<string>();
  const has = (name: string) => !removed.has(name) && existsSync(join(folder, name));
  const purge = async (names: Iterable<string>) => {
    for (const name of names) {
      await rm(join(folder, name), { force: true });
      removed.delete(name);
    }
  };
  const files: FileStore = {
    // The state file, which is synced too, will name it.
    write: (name, bytes) => writeToDisk(folder, name, bytes, true),
    has,
    read: (name) => (has(name) ? createReadStream(join(folder, name)) : undefined),
    remove: async (name) => void removed.add(name),
    async close() {},
  };
  return {
    ...files,
    /** The names of files that were removed but are still on disk. */
    obsolete: () => [...removed],
    /** Removes files for good. */
    purge,
    /** Removes every file that is not in `used`, for good. Call it only while nothing is written. */
    keepOnly: async (used: ReadonlySet<string>) => purge(blobsIn(folder).filter((name) => !used.has(name))),
  };
}
