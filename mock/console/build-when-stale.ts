import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
/** What the page is made of, beside packages. */
const sources = [here, join(here, '../../spec'), join(here, '../../package-lock.json')];

const newestIn = (path: string): number => {
  const state = statSync(path);
  if (!state.isDirectory()) return state.mtimeMs;
  const names = readdirSync(path).filter(
    (name) => !['dist', 'node_modules'].includes(name) && !name.includes('.test.'),
  );
  return Math.max(0, ...names.map((name) => newestIn(join(path, name))));
};

/** Before the mock starts in the repository, and before any test: the page as its sources have it now, so that nobody looks at an old one. */
export default async function buildWhenStale(): Promise<void> {
  const built = join(here, 'dist/index.html');
  if (existsSync(built) && statSync(built).mtimeMs > Math.max(...sources.map(newestIn))) return;
  const { build } = await import('vite');
  // Not emptied first: another test run may be serving the files of the build before, and their names differ.
  await build({ root: here, logLevel: 'error', build: { emptyOutDir: false } });
}
