import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';

/** The folder of this package's package.json. It is searched upwards, because compiled files are one folder deeper. */
export function packageRoot(): string {
  const manifest = findPackageJSON(import.meta.url);
  return manifest === undefined ? process.cwd() : dirname(manifest);
}

/** The version of this package. */
export function packageVersion(): string {
  const manifest = findPackageJSON(import.meta.url);
  if (manifest === undefined) return 'unknown';
  const value: unknown = JSON.parse(readFileSync(manifest, 'utf8'));
  return typeof value === 'object' && value !== null && 'version' in value ? String(value.version) : 'unknown';
}
