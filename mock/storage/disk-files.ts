import { createReadStream, existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileStore } from './file-store.ts';
import { makeTemporaryFolder, removeAbandonedFolders, removeTemporaryFolder } from './temporary-folders.ts';
import { writeToDisk } from './write-to-disk.ts';

/**
 * Keeps files in a temporary folder, so that large files take no memory. The folder is created for the first file and
 * removed by `close`, or at exit.
 * @param parent the folder in which the temporary folder is created
 */
export function diskFiles(parent = tmpdir()): FileStore {
  let folder: Promise<string> | undefined;
  let opened: string | undefined;

  const openFolder = async () => {
    folder ??= tidyFolder(parent);
    try {
      opened = await folder;
      // A system that cleans up temporary folders may have removed this folder while it is in use.
      if (!existsSync(opened)) await mkdir(opened, { mode: 0o700 });
      return opened;
    } catch (error) {
      // The next attempt creates a folder again: a full disk may have room by then.
      folder = undefined;
      throw error;
    }
  };

  const has = (name: string) => opened !== undefined && existsSync(join(opened, name));

  return {
    write: async (name, bytes) => writeToDisk(await openFolder(), name, bytes),
    has,
    read: (name) => (opened !== undefined && has(name) ? createReadStream(join(opened, name)) : undefined),
    async remove(name) {
      if (opened !== undefined) await rm(join(opened, name), { force: true });
    },
    async close() {
      if (folder !== undefined) await removeTemporaryFolder(await folder);
      folder = undefined;
      opened = undefined;
    },
  };
}

async function tidyFolder(parent: string): Promise<string> {
  await removeAbandonedFolders(parent).catch(() => []);
  return makeTemporaryFolder(parent);
}
