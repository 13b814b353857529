import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';
import { isSea } from 'node:sea';
import manifest from '../package.json' with { type: 'json' };

/** The folder of this package's package.json. It is searched upwards, because compiled files are one folder deeper. */
export function packageRoot(): string {
  const manifest = findPackageJSON(import.meta.url);
  return manifest === undefined ? process.cwd() : dirname(manifest);
}

/** The version of this package. */
export const packageVersion = (): string => manifest.version;

/** The words that start this program in a shell: the executable as it was started, else what npm has installed. */
export const ownCommand = (): string[] => (isSea() ? [process.argv0] : ['npx', 'partnerkit']);

/**
 * The URL of a file in the package, such as a JSON Schema.
 * @param path from the root of the repository, such as `spec/files/target.schema.json`
 */
export function packaged(path: string): URL {
  // In the built package this code is in `dist/chunks/` and the files are below `dist/`, so one folder up is right there as well.
  return new URL(`../${path}`, import.meta.url);
}
