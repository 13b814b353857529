import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.ts';
import { root } from './programs.ts';
import { tsc } from './tsc.ts';

/** What `npm run build` does: everything that ships goes into `dist/`, with the declarations of the public entries. */

const dist = join(root, 'dist');
rmSync(dist, { recursive: true, force: true });
tsc(root, ['-p', 'tsconfig.build.json', '--emitDeclarationOnly']);
await bundle(dist);
