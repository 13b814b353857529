import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
/** The page is built from these. The lock file stands for all packages. */
const sources = [here, join(here, '../../spec'), join(here, '../../package-lock.json')];

const newestIn = (path: string): number => {
  const state = statSync(path);
  if (!state.isDirectory()) return state.mtimeMs;
  const names = readdirSync(path).filter(
    (name) => !['dist', 'node_modules'].includes(name) && !name.includes('.test.'),
  );
  return Math.max(0, ...names.map((name) => newestIn(join(path, name))));
};

/** Builds the console if a source is newer than the last build. Runs before `npm start` and before the tests. */
export default async function buildWhenStale(): Promise<void> {
  const built = join(here, 'dist/index.html');
  if (existsSync(built) && statSync(built).mtimeMs > Math.max(...sources.map(newestIn))) return;
  const { build } = await import('vite');
  // The folder is not emptied: another test run may still serve the files of the previous build, whose names differ.
  await build({ root: here, logLevel: 'error', build: { emptyOutDir: false } });
}
