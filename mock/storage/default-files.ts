import type { FileStore } from './file-store.ts';
import { memoryFiles } from './memory-files.ts';

/** Keeps files on disk in Node, and in memory in a browser's service worker. */
export function defaultFiles(): FileStore {
  if (globalThis.process?.versions?.node === undefined) return memoryFiles();
  let opening: Promise<FileStore> | undefined;
  let opened: FileStore | undefined;
  const open = async () => {
    // The file store is loaded at the first upload, so that a bundle for browsers never loads code for a file system.
    opening ??= import('./disk-files.ts').then(({ diskFiles }) => diskFiles());
    opened = await opening;
    return opened;
  };
  return {
    write: async (name, bytes) => (await open()).write(name, bytes),
    has: (name) => opened?.has(name) ?? false,
    read: (name) => opened?.read(name),
    remove: async (name) => opened?.remove(name),
    close: async () => opened?.close(),
  };
}
