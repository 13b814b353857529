import { MockError } from '../mock-error.ts';
import type { FileStore } from './file-store.ts';

/** The uploads have reached the limit of the mock's storage. */
export class StorageFull extends MockError {
  /** @param limit in bytes */
  constructor(limit: number) {
    const what = `all uploaded files together may have at most ${limit} bytes`;
    super('conflict', `${what}; reset a tenant, or start the mock with a larger --storage-limit (storageLimit)`);
  }
}

/** A file store with a limit, whose removals can wait. */
interface LimitedFiles extends FileStore {
  /** Runs `read`. Files that are removed meanwhile stay readable until all such calls are done. */
  holding<Result>(read: () => Promise<Result>): Promise<Result>;
}

/**
 * Limits the bytes of all files, with those that are just arriving. A write beyond the limit throws `StorageFull`.
 * @param used the bytes of all files that have arrived
 */
export function limitedFiles(store: FileStore, limit: number, used: () => number): LimitedFiles {
  let arriving = 0;
  let holders = 0;
  const waiting = new Set<string>();
  return {
    async write(name, bytes) {
      let size = 0;
      const limited = async function* () {
        for await (const chunk of bytes) {
          size += chunk.length;
          arriving += chunk.length;
          if (used() + arriving > limit) throw new StorageFull(limit);
          yield chunk;
        }
      };
      try {
        return await store.write(name, limited());
      } finally {
        arriving -= size;
      }
    },
    has: (name) => store.has(name),
    read: (name) => store.read(name),
    async remove(name) {
      if (holders > 0) waiting.add(name);
      else await store.remove(name);
    },
    async holding(read) {
      holders++;
      try {
        return await read();
      } finally {
        holders--;
        const names = holders === 0 ? [...waiting] : [];
        for (const name of names) waiting.delete(name);
        await Promise.all(names.map((name) => store.remove(name)));
      }
    },
    close: () => store.close(),
  };
}
