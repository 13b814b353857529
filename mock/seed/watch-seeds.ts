import { watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { loadSeeds } from './load.ts';
import type { TenantSeed } from './schema.ts';

/** Editors write a file in several steps; what happens within this time is one change. */
const settling = 100;

/**
 * Reads tenants again whenever their files change.
 * @param path one file or a folder, as `loadSeeds` takes it
 * @param onError told why, when what is there now cannot be used
 * @returns what ends it
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
  // The folder, not the file: editors and ConfigMaps put a new file in the place of the old one.
  const watcher = watch(isFolder ? path : dirname(path), (_, name) => {
    if (!isFolder && name !== null && name !== basename(path)) return;
    clearTimeout(timer);
    timer = setTimeout(load, settling);
  });
  watcher.on('error', onError);
  return () => {
    clearTimeout(timer);
    loads++;
    watcher.close();
  };
}
