import { readFileSync } from 'node:fs';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseTarget } from '../../spec/files/target.ts';
import { targetTemplate as text } from './target-template.ts';

const environment = Object.fromEntries(
  [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => [name, `${name.toLowerCase()}-secret`]),
);

it('is a target once its one secret is set', () => {
  const target = parseTarget(parse(text), { ACME_KEY: 'acme-secret' }, 'target.yaml');
  expect(target.tenants).toHaveLength(1);
  expect(target.tenants[0]?.keys[0]?.scopes).toHaveLength(8);
});

it('fits the schema as it is written', () => {
  const ajv = addFormats.default(new Ajv.default());
  const schema = JSON.parse(readFileSync(new URL('../../spec/files/target.schema.json', import.meta.url), 'utf8'));
  expect(ajv.validate(schema, parse(text)), ajv.errorsText()).toBe(true);
});

it('is a complete target once the comment signs are removed', () => {
  const settings = text.replace(
    /^( *)# ( *(?:- |[a-zA-Z]+: ?(?:[\w"{&-].*)?$))/gm,
    (line, indent: string, rest: string) => (/^[A-Z]|: [a-z]+ .*[a-z] [a-z]+/.test(rest.trim()) ? line : indent + rest),
  );
  const target = parseTarget(parse(settings), environment, 'target.yaml');
  const [acme, globex] = target.tenants;
  expect(acme?.keys.map(({ name }) => name)).toEqual(['full', 'reader', 'none', 'revoked', 'limits']);
  expect(Object.keys(acme ?? {}).sort()).toEqual(
    ['name', 'keys', 'conversations', 'sites', 'clientSite', 'otherClientSite', 'spareLabel', 'privateLabel'].sort(),
  );
  expect(globex?.conversations?.open).toMatch(/7$/);
  expect(target.operations).toMatchObject({ applyConversationLabel: { method: 'PUT' }, removeSiteLabel: null });
  expect(Object.keys(target.hooks)).toEqual(['createKey', 'regenerateKey', 'revokeKey', 'listKeys']);
});
