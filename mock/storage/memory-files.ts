import { md5 } from '@noble/hashes/legacy.js';
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { wholeBody } from '../message.ts';
import type { FileStore } from './file-store.ts';

/** Keeps files in memory, for browsers and for tests. */
export function memoryFiles(): FileStore {
  const files = new Map<string, Uint8Array>();
  return {
    async write(name, bytes) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of bytes) chunks.push(chunk);
      const whole = concatBytes(...chunks);
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
