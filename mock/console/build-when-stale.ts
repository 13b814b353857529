import { existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
/** The page is built from these. The lock file stands for all packages. */
const sources = ['mock/console/**/*.*', 'spec/**/*.*', 'package-lock.json'];

/** Builds the console if a source is newer than the last build. Runs before `npm start` and before the tests. */
export default async function buildWhenStale(): Promise<void> {
  const built = join(import.meta.dirname, 'dist/index.html');
  const files = globSync(sources, { cwd: root, exclude: ['**/dist/**', '**/*.test.*'] });
  const newest = Math.max(...files.map((name) => statSync(join(root, name)).mtimeMs));
  if (existsSync(built) && statSync(built).mtimeMs > newest) return;
  const { build } = await import('vite');
  // The folder is not emptied: another test run may still serve the files of the previous build, whose names differ.
  await build({ root: import.meta.dirname, logLevel: 'error', build: { emptyOutDir: false } });
}
