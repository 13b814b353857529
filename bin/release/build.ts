import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { assemble } from './assemble.ts';
import { keepPublicDeclarations } from './bundle.ts';
import { tsc } from './tsc.ts';

/** What `npm run build` does: everything that ships goes into `dist/`, with the declarations of the public entries. */

const root = resolve(import.meta.dirname, '../..');
const dist = join(root, 'dist');
rmSync(dist, { recursive: true, force: true });
tsc(root, ['-p', 'tsconfig.build.json', '--emitDeclarationOnly']);
keepPublicDeclarations(root, dist);
await assemble(root, dist);
