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
