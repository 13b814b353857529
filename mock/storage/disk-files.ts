import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FileStore } from './file-store.ts';

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
    async write(name, bytes) {
      const at = await openFolder();
      // A name of its own per PUT: two at once do not mix, and the last to finish wins whole.
      const part = join(at, `${randomUUID()}.part`);
      const hash = createHash('md5');
      let size = 0;
      const hashed = async function* () {
        for await (const chunk of bytes) {
          hash.update(chunk);
          size += chunk.length;
          yield chunk;
        }
      };
      try {
        await pipeline(hashed, createWriteStream(part, { flags: 'wx' }));
        await rename(part, join(at, name));
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
      return { size, md5: hash.digest('hex') };
    },
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
