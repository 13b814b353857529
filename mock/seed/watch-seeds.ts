import { stat } from 'node:fs/promises';
import { loadSeeds, tenantFiles } from './load.ts';
import type { TenantSeed } from './schema.ts';

/** How often the files are looked at, in milliseconds. */
const interval = 250;

/**
 * Looks for changes of tenant files. The state of the files is compared, because a file system reports no events for files that are replaced
 * through a link, mounted, or on another machine.
 *
 * @param path a file or a folder, as for `loadSeeds`
 * @param loaded `seedsState` before the files were read
 * @param onError called if the changed files cannot be used
 * @returns looks once. Editors write a file in several steps, so a change counts when two looks find the same
 */
export function seedChanges(
  path: string,
  loaded: string,
  onSeeds: (seeds: TenantSeed[]) => void,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let last = loaded;
  let seen = loaded;
  return async () => {
    const found = await seedsState(path);
    const isSettled = found === seen;
    seen = found;
    if (!isSettled || found === last) return;
    last = found;
    await loadSeeds(path).then(onSeeds, onError);
  };
}

/** Reads tenants again when their files change. @returns a function that stops it */
export function watchSeeds(...watched: Parameters<typeof seedChanges>): () => void {
  const timer = setInterval(seedChanges(...watched), interval).unref();
  return () => clearInterval(timer);
}

/**
 * The files of a path with their versions. A version differs whenever the file was written or replaced: the time of the last change of the
 * inode cannot be set, as that of the content can. Follows links.
 */
export async function seedsState(path: string): Promise<string> {
  const version = async (file: string) => {
    const found = await stat(file, { bigint: true }).catch(() => undefined);
    return [file, found?.dev, found?.ino, found?.size, found?.mtimeNs, found?.ctimeNs].join(' ');
  };
  return tenantFiles(path).then(
    async (files) => (await Promise.all(files.map(version))).join('\n'),
    // Reading the files reports the reason.
    String,
  );
}
