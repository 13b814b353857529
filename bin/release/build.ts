import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { bundle, keepPublicDeclarations } from './bundle.ts';

/**
 * What `npm run build` does: bundles everything into `dist/`, with the declarations of the public entries, and puts beside it what
 * is read at run time (YAML, JSON, scripts), at the same places as in the source.
 */

const root = resolve(import.meta.dirname, '../..');
const parts = ['spec', 'mock', 'conformance', 'load', 'bin', 'fixtures'];
// The console is a page of its own, which its bundler puts into `dist/`; the pytest plugin is a package of its own.
const leftOut = new Set(['node_modules', 'console', 'python', 'proof', 'release']);

const isAsset = (name: string) => name.endsWith('.d.ts') || !/\.(?:[jt]s|md)$/.test(name);

function copyAssets(folder: string): void {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!leftOut.has(entry.name)) copyAssets(path);
    } else if (isAsset(entry.name)) {
      mkdirSync(join(root, 'dist', folder), { recursive: true });
      copyFileSync(join(root, path), join(root, 'dist', path));
    }
  }
}

rmSync(join(root, 'dist'), { recursive: true, force: true });
for (const part of parts.filter((name) => readdirSync(root).includes(name))) copyAssets(part);
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--emitDeclarationOnly'], {
  cwd: root,
  stdio: 'inherit',
});
keepPublicDeclarations(root, join(root, 'dist'));
// What `conformance explain` tells of the proof.
mkdirSync(join(root, 'dist/conformance/proof'), { recursive: true });
copyFileSync(join(root, 'conformance/proof/kill-matrix.json'), join(root, 'dist/conformance/proof/kill-matrix.json'));
await bundle(root, join(root, 'dist'));
