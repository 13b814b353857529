import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { assemble } from './assemble.ts';
import { keepPublicDeclarations } from './bundle.ts';

/** What `npm run build` does: everything that ships goes into `dist/`, with the declarations of the public entries. */

const root = resolve(import.meta.dirname, '../..');
const dist = join(root, 'dist');
rmSync(dist, { recursive: true, force: true });
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--emitDeclarationOnly'], {
  cwd: root,
  stdio: 'inherit',
});
keepPublicDeclarations(root, dist);
await assemble(root, dist);
