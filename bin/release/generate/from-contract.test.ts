import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { fromContract } from './from-contract.ts';

let yaml: string;
let files: ReadonlyMap<string, string>;

beforeAll(async () => {
  yaml = await readFile(new URL('../../../spec/openapi.yaml', import.meta.url), 'utf8');
  files = await fromContract(yaml);
});

describe('spec/generated', () => {
  test('has validators that import nothing and evaluate no strings', () => {
    for (const name of ['request-validators.js', 'reply-validators.js']) {
      const text = files.get(`spec/generated/${name}`) ?? '';
      expect(text).toContain('export{');
      // Ajv keeps the text of a require call as a string literal; only a call counts.
      expect(text, name).not.toMatch(/\bimport\b|(?<!')\brequire\(|new Function|\beval\(/);
      expect(text, name).not.toContain('node_modules');
    }
  });

  test('has operations that k6 can load: no imports but of types', () => {
    expect(files.get('spec/generated/operations.ts')).not.toMatch(/^import (?!type)/m);
  });
});

describe('the generator', () => {
  test.each([
    ['a status without provenance', '"415": assumed,', '', 'startSiteFileUpload: responses and x-provenance.statuses'],
    ['a provenance of no status', '"200": reference,', '"202": assumed, "200": reference,', 'getHealth: responses'],
    ['a scope that the list does not have', '  - client:read\n', '', 'getClient: add the scope client:read'],
    ['a reference to nothing', 'parameters/ClientIdOfLink', 'parameters/Nobody', 'Nobody'],
  ])('refuses %s', async (_, original, broken, message) => {
    const changed = yaml.replace(original, broken);
    expect(changed).not.toBe(yaml);
    await expect(fromContract(changed)).rejects.toThrow(message);
  });
});
