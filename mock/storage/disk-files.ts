import type { FileStore } from './files.ts';

// No import statements: a bundle for browsers shares its file with what serves a mock, and a mock without uploads starts sooner.
function fs() {
  return process.getBuiltinModule('node:fs');
}

/** The temporary folders of this process. */
const open = new Set<string>();

const removeOpen = () => {
  for (const folder of open) fs().rmSync(folder, { recursive: true, force: true });
};

/**
 * Keeps files in a temporary folder, so that large files take no memory. The folder is created for the first file and
 * removed by `close`, or at exit. That of a process that is killed is left to the system, as all that it keeps there.
 * @param parent the folder in which the temporary folder is created
 */
export function diskFiles(parent = process.getBuiltinModule('node:os').tmpdir()): FileStore {
  let folder: string | undefined;
  const openFolder = () => {
    // A system that cleans up temporary folders may have removed this folder while it is in use.
    if (folder !== undefined && fs().existsSync(folder)) return folder;
    folder = fs().mkdtempSync(`${parent}/partnerkit-`);
    if (open.size === 0) process.on('exit', removeOpen);
    open.add(folder);
    return folder;
  };
  const has = (name: string) => folder !== undefined && fs().existsSync(`${folder}/${name}`);
  return {
    write: async (name, bytes) => writeToDisk(openFolder(), name, bytes),
    has,
    read: (name) => (folder !== undefined && has(name) ? fs().createReadStream(`${folder}/${name}`) : undefined),
    async remove(name) {
      if (folder !== undefined) fs().rmSync(`${folder}/${name}`, { force: true });
    },
    async close() {
      if (folder === undefined) return;
      const closed = folder;
      folder = undefined;
      // A file that is being written may come into the folder while the folder is emptied.
      await fs().promises.rm(closed, { recursive: true, force: true, maxRetries: 10 });
      open.delete(closed);
      if (open.size === 0) process.off('exit', removeOpen);
    },
  };
}

/**
 * Streams bytes into a file of the folder that only its owner may read. Readers find either the old bytes or the new ones. A stream
 * that fails leaves no file.
 * @param lasting whether the file must survive a power cut
 * @returns size in bytes and MD5 in hex
 */
export async function writeToDisk(
  folder: string,
  name: string,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  lasting = false,
) {
  const { open, rename, rm } = fs().promises;
  // A name that nobody can guess, so that no existing file or link is used and two writes at once do not mix. The last one to finish wins.
  const part = `${folder}/${name}.${crypto.randomUUID()}.part`;
  const hash = process.getBuiltinModule('node:crypto').createHash('md5');
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
    const { pipeline } = process.getBuiltinModule('node:stream/promises');
    await pipeline(hashed, file.createWriteStream({ flush: lasting }));
    await rename(part, `${folder}/${name}`);
    if (lasting) await syncFolder(folder);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return { size, md5: hash.digest('hex') };
}

/** Makes the names in a folder safe. On Windows, folders cannot be synced, and need not be. */
async function syncFolder(path: string): Promise<void> {
  const folder = await fs()
    .promises.open(path, 'r')
    .catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
