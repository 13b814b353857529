import type { FileStore } from './file-store.ts';

/** A file store that can postpone removals. */
interface HeldFiles extends FileStore {
  /** Runs `read`. Files that are removed meanwhile stay readable until all such calls are done. */
  holding<Result>(read: () => Promise<Result>): Promise<Result>;
}

/** Adds `holding` to a store. */
export function heldFiles(store: FileStore): HeldFiles {
  let holders = 0;
  const waiting = new Set<string>();
  return {
    write: (name, bytes) => store.write(name, bytes),
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
        if (holders === 0) {
          const names = [...waiting];
          waiting.clear();
          await Promise.all(names.map((name) => store.remove(name)));
        }
      }
    },
    close: () => store.close(),
  };
}
