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

/**
 * Limits the bytes of all files, with those that are just arriving. A write beyond the limit throws `StorageFull`.
 * @param used the bytes of all files that have arrived
 */
export function limitedFiles(store: FileStore, limit: number, used: () => number): FileStore {
  let arriving = 0;
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
    remove: (name) => store.remove(name),
    close: () => store.close(),
  };
}
