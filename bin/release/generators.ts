import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createServedMock } from '../../mock/adapters/create-served-mock.ts';
import { operationIds, operations } from '../../spec/operations.ts';
import { go } from './generators/go.ts';
import { heyApi } from './generators/hey-api.ts';
import { inputOf } from './generators/input.ts';
import { openapiFetch } from './generators/openapi-fetch.ts';
import { postman } from './generators/postman.ts';
import { python } from './generators/python.ts';

/**
 * Generates clients from the OpenAPI document of a mock with common generators. Each client then calls every operation
 * with the examples of the document. Run by hand, because it installs the generators: `npm run check:generators`, or `-- --only python`.
 */

const generators = { postman, 'openapi-fetch': openapiFetch, 'hey-api': heyApi, python, go };

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
const wanted = Object.entries(generators).filter(([name]) => only === undefined || name === only);
if (wanted.length === 0) throw new Error(`--only ${only}: give one of ${Object.keys(generators).join(', ')}`);

const root = resolve(import.meta.dirname, '../..');
const mock = await createServedMock();
try {
  const { url } = await mock.listen({ port: 0 });
  for (const [name, generate] of wanted) {
    // An installed generator is reused the next time.
    const folder = join(root, '.cache/generators', name);
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
    const startedAt = performance.now();
    const lines = (await generate(folder, await inputOf(url))).trim().split('\n');
    const answered = new Map(lines.map((line) => line.split(' ') as [string, string]));
    const wrong = operationIds.filter((id) => answered.get(id) !== String(operations[id].success));
    if (wrong.length > 0)
      throw new Error(
        `${name}: ${wrong.map((id) => `${id} answered ${answered.get(id)}`).join(', ')}\n${lines.join('\n')}`,
      );
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    process.stdout.write(`${name}: all ${operationIds.length} operations called, ${seconds} s\n`);
  }
} finally {
  await mock.close();
}
