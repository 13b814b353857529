/** What the storage target keeps bytes in: a folder, or memory where there is no file system. */
export interface FileStore {
  /**
   * Keeps the bytes under the name, in place of what was there; a stream that breaks off changes nothing.
   * @returns size in bytes and the MD5 in hex, as an object store's ETag has it.
   */
  write(name: string, bytes: AsyncIterable<Uint8Array>): Promise<{ size: number; md5: string }>;
  has(name: string): boolean;
  /** The bytes from first to last, in pieces; undefined when there are none. */
  read(name: string): AsyncIterable<Uint8Array> | undefined;
  remove(name: string): Promise<void>;
  /** The size in bytes of every file in the store, by name. A store that always begins empty has no such function. */
  sizes?(): Iterable<readonly [string, number]>;
  /** Removes everything, for good. */
  close(): Promise<void>;
}
