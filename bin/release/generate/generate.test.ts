import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { fromContract, read } from './from-contract.ts';
import { fromSchemas } from './from-schemas.ts';

const contract = await fromContract();
const files = new Map([...contract, ...(await fromSchemas())]);

test.each([...files])('%s is current; if not, run `npm run generate`', async (path, text) => {
  // Not toBe: a difference in a hundred kilobytes of minified code is no help.
  expect((await read(path)) === text).toBe(true);
});

test('spec/generated contains no other files', async () => {
  const names = await readdir(new URL('../../../spec/generated/', import.meta.url));
  const generated = [...contract.keys()].filter((path) => path.startsWith('spec/generated/'));
  const types = ['reply', 'request'].map((of) => `spec/generated/${of}-validators.d.ts`);
  expect(names.map((name) => `spec/generated/${name}`).sort()).toEqual([...generated, ...types].sort());
});

test('the packaged tenants import nothing except one type', () => {
  const imports = files.get('mock/seed/generated/tenants.ts')?.match(/^import .*|\b(import|require)\(.*/gm);
  expect(imports).toEqual(["import type { TenantSeed } from '../schema.ts';"]);
});
