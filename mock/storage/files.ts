import { md5 } from '@noble/hashes/legacy.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { bytesOf, wholeBody } from '../message.ts';

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
