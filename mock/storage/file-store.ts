/** What the storage target keeps bytes in: a folder, or memory where there is no file system. */
export interface FileStore {
  /**
   * Keeps the bytes under the key, in place of what was there; a stream that breaks off changes nothing.
   * @returns size in bytes and the MD5 in hex, as an object store's ETag has it.
   */
  write(fileKey: string, bytes: AsyncIterable<Uint8Array>): Promise<{ size: number; md5: string }>;
  /** The bytes from first to last, in pieces; undefined when there are none. */
  read(fileKey: string): AsyncIterable<Uint8Array> | undefined;
  remove(fileKey: string): Promise<void>;
  /** Removes everything, for good. */
  close(): Promise<void>;
}
