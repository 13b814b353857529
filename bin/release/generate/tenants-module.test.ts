import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { defaultSeeds } from '../../../mock/seed/generated/tenants.ts';
import { loadSeeds } from '../../../mock/seed/load.ts';
import { renderTenants } from './tenants-module.ts';

const module = await readFile(new URL('../../../mock/seed/generated/tenants.ts', import.meta.url), 'utf8');
const seeds = await loadSeeds(fileURLToPath(new URL('../../../fixtures', import.meta.url)));

test('the packaged tenants are those of the fixtures; if not, run `npm run generate`', () => {
  expect(module).toBe(renderTenants(seeds));
  expect(defaultSeeds).toEqual(seeds);
});

test('the packaged tenants load nothing: their one import is a type', () => {
  const imports = module.match(/^import .*|\b(import|require)\(.*/gm);
  expect(imports).toEqual(["import type { TenantSeed } from '../../../mock/seed/schema.ts';"]);
});
