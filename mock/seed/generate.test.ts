import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { renderTenants } from './generate.ts';
import { defaultSeeds } from './generated/tenants.ts';
import { loadSeeds } from './load.ts';

const module = await readFile(new URL('generated/tenants.ts', import.meta.url), 'utf8');
const seeds = await loadSeeds(fileURLToPath(new URL('../../fixtures', import.meta.url)));

test('the packaged tenants are those of the fixtures; if not, run `npm run generate`', () => {
  expect(module).toBe(renderTenants(seeds));
  expect(defaultSeeds).toEqual(seeds);
});

test('the packaged tenants load nothing: their one import is a type', () => {
  const imports = module.match(/^import .*|\b(import|require)\(.*/gm);
  expect(imports).toEqual(["import type { TenantSeed } from '../schema.ts';"]);
});
