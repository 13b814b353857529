import { readdirSync, readFileSync } from 'node:fs';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { seedFromDocument } from '../../../mock/seed/seed-from-document.ts';
import { tenantTemplate } from '../../../mock/seed/tenant-template.ts';

const onDisk = readFileSync(new URL('../../../mock/seed/tenant.schema.json', import.meta.url), 'utf8');
const ajv = new Ajv.default({ allErrors: true });
addFormats.default(ajv);
const isTenant = ajv.compile(JSON.parse(onDisk));

const fixtures = new URL('../../../fixtures/', import.meta.url);
const tenants = readdirSync(fixtures).filter((name) => /^\w+\.yaml$/.test(name));

test('there are fixtures', () => {
  expect(tenants).toEqual(expect.arrayContaining(['acme.yaml', 'globex.yaml', 'initech.yaml']));
});

test.each(tenants)('fixtures/%s is valid, and names its schema for editors', (name) => {
  const text = readFileSync(new URL(name, fixtures), 'utf8');
  expect(isTenant(parse(text)), JSON.stringify(isTenant.errors)).toBe(true);
  const [, schema = ''] = /^# yaml-language-server: \$schema=(.*)\n/.exec(text) ?? [];
  expect(readFileSync(new URL(schema, new URL(name, fixtures)), 'utf8') === onDisk).toBe(true);
});

test('the tenant to start from is valid for editors and for the mock', async () => {
  const document = parse(tenantTemplate('own'));
  expect(isTenant(document), JSON.stringify(isTenant.errors)).toBe(true);
  const seed = await seedFromDocument(document, 'own.yaml');
  expect([seed.tenant, seed.keys.length, seed.conversations.length]).toEqual(['own', 4, 2]);
});

test('a tenant in JSON can name its schema', async () => {
  const document = { $schema: '../mock/seed/tenant.schema.json', ...parse(tenantTemplate('own')) };
  expect(isTenant(document)).toBe(true);
  expect(await seedFromDocument(document, 'own.json')).not.toHaveProperty('$schema');
});

test('an editor marks what the mock refuses', () => {
  const document = parse(tenantTemplate('own'));
  expect(isTenant({ ...document, colour: 1 })).toBe(false);
  expect(isTenant({ ...document, labels: [{ id: 'x', name: 'y', visibility: 'secret' }] })).toBe(false);
  expect(isTenant.errors?.map(({ instancePath }) => instancePath)).toEqual(
    expect.arrayContaining(['/labels/0/id', '/labels/0/visibility']),
  );
});
