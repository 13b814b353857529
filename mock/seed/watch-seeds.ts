import { watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { loadSeeds } from './load.ts';
import type { TenantSeed } from './schema.ts';

/** Milliseconds. Editors write a file in several steps; steps within this time are one change. */
const debounce = 100;

/**
 * Reads tenants again when their files change.
 * @param path a file or a folder, as for `loadSeeds`
 * @param onError called if the changed files cannot be used
 * @returns a function that stops watching
 */
export async function watchSeeds(
  path: string,
  onSeeds: (seeds: TenantSeed[]) => void,
  onError: (error: unknown) => void,
): Promise<() => void> {
  const isFolder = (await stat(path)).isDirectory();
  let timer: NodeJS.Timeout | undefined;
  let loads = 0;
  const load = async () => {
    const load = ++loads;
    try {
      const seeds = await loadSeeds(path);
      // The tenants of the latest change win, even if an earlier change takes longer to read.
      if (load === loads) onSeeds(seeds);
    } catch (error) {
      if (load === loads) onError(error);
    }
  };
  // The folder is watched, because editors and ConfigMaps replace the file by a new one.
  const watcher = watch(isFolder ? path : dirname(path), (_, name) => {
    if (!isFolder && name !== null && name !== basename(path)) return;
    clearTimeout(timer);
    timer = setTimeout(load, debounce);
  });
  watcher.on('error', onError);
  return () => {
    clearTimeout(timer);
    loads++;
    watcher.close();
  };
}
