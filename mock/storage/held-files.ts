import type { FileStore } from './file-store.ts';

/** A file store in which nothing goes away while somebody reads all of it. */
interface HeldFiles extends FileStore {
  /** Runs `read`. Files that are removed meanwhile stay readable until all such calls have ended. */
  holding<Result>(read: () => Promise<Result>): Promise<Result>;
}

/** Lets removals of a store wait while it is held. */
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
