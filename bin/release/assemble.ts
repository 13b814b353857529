import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const parts = ['spec', 'mock', 'conformance', 'load', 'bin', 'fixtures'];
// The console is a page of its own, which its bundler puts into `dist/`; the pytest plugin is a package of its own.
export const notShipped = new Set(['node_modules', 'console', 'python', 'proof', 'release']);

const isAsset = (name: string) => name.endsWith('.d.ts') || !/\.(?:[jt]s|md)$/.test(name);

/**
 * Bundles everything that ships, and puts beside it what is read at run time (YAML, JSON, scripts), at the same places as in the
 * source.
 * @param root the repository
 */
export async function assemble(root: string, dist: string): Promise<void> {
  const copyAssets = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!notShipped.has(entry.name)) copyAssets(path);
      } else if (isAsset(entry.name)) {
        mkdirSync(join(dist, folder), { recursive: true });
        copyFileSync(join(root, path), join(dist, path));
      }
    }
  };
  for (const part of parts.filter((name) => readdirSync(root).includes(name))) copyAssets(part);
  // Loaded only here: a bundler takes half a second.
  const { bundle } = await import('./bundle.ts');
  await bundle(root, dist);
}
