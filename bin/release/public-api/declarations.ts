import { resolve } from 'node:path';
import { madeOnce } from '../made-once.ts';
import { tsc } from '../tsc.ts';

const root = resolve(import.meta.dirname, '../../..');

/** For tests: a folder with the declarations of all that ships, at the same places as in the source. */
export const declarations = (): Promise<string> =>
  madeOnce('types', (folder) => tsc(root, ['-p', 'tsconfig.build.json', '--outDir', folder, '--emitDeclarationOnly']));
