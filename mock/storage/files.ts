import { md5 } from '@noble/hashes/legacy.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { bytesOf, wholeBody } from '../message.ts';
import { MockError } from '../mock-error.ts';

/** Keeps the bytes of uploads: in a folder, or in memory. */
export interface FileStore {
  /**
   * Stores the bytes under the name and replaces earlier ones. A stream that fails changes nothing.
   * @returns the size in bytes, and the MD5 in hex, which object stores use as ETag
   */
  write(name: string, bytes: AsyncIterable<Uint8Array>): Promise<{ size: number; md5: string }>;
  has(name: string): boolean;
  /** The bytes in chunks; undefined if there are none. */
  read(name: string): AsyncIterable<Uint8Array> | undefined;
  remove(name: string): Promise<void>;
  /** Removes everything, for good. */
  close(): Promise<void>;
}

/** Keeps files in memory, for browsers and for tests. */
export function memoryFiles(): FileStore {
  const files = new Map<string, Uint8Array>();
  return {
    async write(name, bytes) {
      const whole = await bytesOf(bytes);
      files.set(name, whole);
      return { size: whole.length, md5: bytesToHex(md5(whole)) };
    },
    has: (name) => files.has(name),
    read(name) {
      const whole = files.get(name);
      return whole && wholeBody(whole);
    },
    async remove(name) {
      files.delete(name);
    },
    async close() {
      files.clear();
    },
  };
}

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
