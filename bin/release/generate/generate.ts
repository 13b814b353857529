import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Files, fromContract } from './from-contract.ts';

async function write(files: Files): Promise<void> {
  for (const [path, text] of files) {
    const file = resolve(import.meta.dirname, '../../..', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

// `npm run generate`. Modules that need the generated contract are imported after it was written.
await write(await fromContract());
const { fromSchemas } = await import('./from-schemas.ts');
await write(await fromSchemas());
