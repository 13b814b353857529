import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');

/** Generated files: path from the root -> text. */
export type Files = ReadonlyMap<string, string>;

export const read = (path: string): Promise<string> => readFile(resolve(root, path), 'utf8');

export async function write(files: Files): Promise<void> {
  for (const [path, text] of files) {
    await mkdir(dirname(resolve(root, path)), { recursive: true });
    await writeFile(resolve(root, path), text);
  }
}
