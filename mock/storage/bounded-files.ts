import type { FileStore } from './file-store.ts';
import { StorageFull } from './storage-full.ts';

/** Limits the bytes in a store, with those that are just arriving. A write beyond the limit throws `StorageFull`. */
export function boundedFiles(store: FileStore, limit: number): FileStore {
  let sizes = new Map<string, number>();
  let used = 0;
  let counted = false;
  /** Files are counted at the first write, because files of an earlier mock may be purged before. */
  const countOnce = () => {
    if (counted) return;
    counted = true;
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
      countOnce();
      let size = 0;
      const limited = async function* () {
        for await (const chunk of bytes) {
          size += chunk.length;
          used += chunk.length;
          if (used > limit) throw new StorageFull(limit);
          yield chunk;
        }
      };
      try {
        const written = await store.write(name, limited());
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
