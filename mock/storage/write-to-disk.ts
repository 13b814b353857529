import { createHash, randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/**
 * Streams bytes into a file of the folder. A stream that fails leaves no file.
 * @param lasting whether the file must survive a power cut
 * @returns size in bytes and MD5 in hex
 */
export async function writeToDisk(folder: string, name: string, bytes: AsyncIterable<Uint8Array>, lasting = false) {
  // Every PUT writes to a file of its own, so that two PUTs at once do not mix. The last one to finish wins.
  const part = join(folder, `${randomUUID()}.part`);
  const hash = createHash('md5');
  let size = 0;
  const hashed = async function* () {
    for await (const chunk of bytes) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  };
  // Opened before any byte is read. Otherwise a stream that fails early could create the file after its removal.
  const file = await open(part, 'wx', 0o600);
  try {
    await pipeline(hashed, file.createWriteStream({ flush: lasting }));
    await rename(part, join(folder, name));
    if (lasting) await syncFolder(folder);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return { size, md5: hash.digest('hex') };
}

/** Makes the names in a folder safe. On Windows, folders cannot be synced, and need not be. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
