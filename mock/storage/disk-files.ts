import { createReadStream, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileStore } from './file-store.ts';
import { writeToDisk } from './write-to-disk.ts';

/**
 * Keeps files in a temporary folder, made at the first file and removed by `close`: memory stays flat however large they are.
 * @param parent the folder in which the temporary one is made.
 */
export function diskFiles(parent = tmpdir()): FileStore {
  let folder: Promise<string> | undefined;
  let opened: string | undefined;

  const openFolder = async () => {
    folder ??= mkdtemp(join(parent, 'partnerkit-'));
    opened = await folder;
    return opened;
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
      if (folder !== undefined) await rm(await folder, { recursive: true, force: true });
      folder = undefined;
      opened = undefined;
    },
  };
}
