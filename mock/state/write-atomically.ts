import { randomUUID } from 'node:crypto';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Writes a file so that whoever reads it, also after a crash or a power cut, finds the old text or the new, whole. Nobody
 * but its owner may read it.
 */
export async function writeAtomically(path: string, text: string): Promise<void> {
  // A name that nobody foresees, and never a file or a link that is there already.
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
  // The new name is safe only when the folder is; where folders cannot be synced (Windows) the file system sees to it.
  const folder = await open(dirname(path), 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

/** Removes what a crash in the middle of writing that file has left beside it. */
export async function removeUnfinished(path: string): Promise<void> {
  const name = basename(path);
  const isUnfinished = (other: string) =>
    other.startsWith(`${name}.`) && /^\.\d+(?:-[\da-f-]{36})?\.tmp$/.test(other.slice(name.length));
  for (const other of await readdir(dirname(path))) {
    if (isUnfinished(other)) await rm(join(dirname(path), other), { force: true });
  }
}
