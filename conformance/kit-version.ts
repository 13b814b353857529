import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { z } from 'zod';

/** The version of this package, from its manifest: found upwards, because the compiled files lie one folder deeper. */
export function kitVersion(): string {
  const manifest = findPackageJSON(import.meta.url);
  if (manifest === undefined) return 'unknown';
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(manifest, 'utf8'))).version;
}
