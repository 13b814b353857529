import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a file so that whoever reads it, also after a crash or a power cut, finds the old text or the new, whole. */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = await open(temporary, 'w');
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
