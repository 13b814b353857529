import type { FileStore } from './file-store.ts';
import { StorageFull } from './storage-full.ts';

/** Lets a store take so many bytes in all, those that are just arriving included. A write beyond throws `StorageFull`. */
export function boundedFiles(store: FileStore, limit: number): FileStore {
  let sizes = new Map<string, number>();
  let used = 0;
  let looked = false;
  /** Counted at the first write and not earlier: files of an earlier mock may be purged before. */
  const look = () => {
    if (looked) return;
    looked = true;
    sizes = new Map(store.sizes?.());
    for (const size of sizes.values()) used += size;
  };
  const forget = (name: string) => {
    used -= sizes.get(name) ?? 0;
    sizes.delete(name);
  };
  return {
    ...store,
    async write(name, bytes) {
      look();
      let size = 0;
      const counted = async function* () {
        for await (const chunk of bytes) {
          size += chunk.length;
          used += chunk.length;
          if (used > limit) throw new StorageFull(limit);
          yield chunk;
        }
      };
      try {
        const written = await store.write(name, counted());
        forget(name);
        sizes.set(name, size);
        return written;
      } catch (error) {
        used -= size;
        throw error;
      }
    },
    async remove(name) {
      forget(name);
      await store.remove(name);
    },
    async close() {
      sizes.clear();
      used = 0;
      await store.close();
    },
  };
}
