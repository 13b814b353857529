import { readFileSync } from 'node:fs';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { targetSchema } from '../../../spec/files/target.ts';
import { editorSchema } from './from-schemas.ts';

describe('an editor', () => {
  const ajv = new Ajv.default({ allErrors: true });
  addFormats.default(ajv);
  const target = ajv.compile(JSON.parse(editorSchema(targetSchema, 'A target.')));
  const withOpen = (open: string) => ({
    baseUrl: `\${BASE}`,
    tenants: [{ name: 'acme', keys: [{ name: 'full', secret: `\${ACME_KEY}` }], conversations: { open } }],
  });

  test('accepts a target without the fields that have defaults, and with placeholders', () => {
    expect(target(withOpen(`\${OPEN}`)), JSON.stringify(target.errors)).toBe(true);
  });

  test('accepts the packaged target file, which leads it to the schema', () => {
    const url = new URL('../../../fixtures/mock.target.yaml', import.meta.url);
    const text = readFileSync(url, 'utf8');
    expect(target(parse(text)), JSON.stringify(target.errors)).toBe(true);
    const [, schema = ''] = /^# yaml-language-server: \$schema=(.*)\n/.exec(text) ?? [];
    expect(new URL(schema, url).href).toBe(new URL('../../../spec/files/target.schema.json', import.meta.url).href);
  });

  test('marks a malformed id and an unknown property', () => {
    expect(target({ ...withOpen('nonsense'), colour: 1 })).toBe(false);
    expect(target.errors?.map(({ instancePath }) => instancePath).sort()).toEqual([
      '',
      '/tenants/0/conversations/open',
    ]);
  });
});
