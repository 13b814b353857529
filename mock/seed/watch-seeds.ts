import { loadSeeds, type ReadFiles, tenantFiles, versionOf } from './load.ts';
import type { TenantSeed } from './schema.ts';

/** How often the files are looked at, in milliseconds. */
const interval = 250;

/**
 * Looks for changes of tenant files. The state of the files is compared, because a file system reports no events for files that are replaced
 * through a link, mounted, or on another machine.
 *
 * @param path a file or a folder, as for `loadSeeds`
 * @param read the files that `loadSeeds` has read before; only changed ones are read again
 * @param onError called if the changed files cannot be used
 * @returns looks once. Editors write a file in several steps, so a change counts when two looks find the same
 */
export function seedChanges(
  path: string,
  read: ReadFiles,
  onSeeds: (seeds: TenantSeed[]) => void,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let loaded = stateOf([...read].map(([file, { version }]) => [file, version]));
  let seen = loaded;
  return async () => {
    const found = await currentState(path);
    const isSettled = found === seen;
    seen = found;
    if (!isSettled || found === loaded) return;
    loaded = found;
    try {
      onSeeds(await loadSeeds(path, read));
    } catch (error) {
      onError(error);
    }
  };
}

/** Reads tenants again when their files change. @returns a function that stops it */
export function watchSeeds(...of: Parameters<typeof seedChanges>): () => void {
  const [path, read, onSeeds, onError] = of;
  let stopped = false;
  const look = seedChanges(path, read, (seeds) => !stopped && onSeeds(seeds), onError);
  const lookAgain = async () => {
    await look();
    // Files are read one after the other, because several large ones at once would take too much memory.
    if (!stopped) setTimeout(lookAgain, interval).unref();
  };
  lookAgain();
  return () => {
    stopped = true;
  };
}

const stateOf = (files: readonly (readonly [string, string])[]) => JSON.stringify(files);

async function currentState(path: string): Promise<string> {
  try {
    const files = await tenantFiles(path);
    return stateOf(await Promise.all(files.map(async (file) => [file, await versionOf(file)] as const)));
  } catch (error) {
    // Reading the files reports the reason.
    return String(error);
  }
}
