import { randomUUID } from 'node:crypto';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from '../storage/disk-files.ts';

/**
 * Writes a file so that readers find either the complete old text or the complete new one, even after a crash or a power
 * cut. Only the owner may read the file.
 */
export async function writeAtomically(path: string, text: string): Promise<void> {
  // A name that nobody can guess. An existing file or link is never used.
  const temporary = `${path}.${process.pid}-${randomUUID()}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Removes temporary files that a crash while writing that file has left. */
export async function removeUnfinished(path: string): Promise<void> {
  const name = basename(path);
  const isUnfinished = (other: string) =>
    other.startsWith(`${name}.`) && /^\.\d+(?:-[\da-f-]{36})?\.tmp$/.test(other.slice(name.length));
  for (const other of await readdir(dirname(path))) {
    if (isUnfinished(other)) await rm(join(dirname(path), other), { force: true });
  }
}
