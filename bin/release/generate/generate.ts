import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { generatedFiles } from './generated-files.ts';

const source = new URL('../../../spec/openapi.yaml', import.meta.url);
const target = new URL('../../../spec/generated/', import.meta.url);

await mkdir(target, { recursive: true });
for (const [name, text] of await generatedFiles(await readFile(source, 'utf8'))) {
  await writeFile(new URL(name, target), text);
}
