import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readYamlFile } from './yaml-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'yaml-'));
const file = join(folder, 'a.yaml');
afterAll(() => rmSync(folder, { recursive: true }));
const read = (text: string) => {
  writeFileSync(file, text);
  return readYamlFile(file);
};

it('reads YAML with aliases, and JSON', () => {
  expect(read('a: &a [1]\nb: *a')).toEqual({ a: [1], b: [1] });
  expect(read('{"a": [1]}')).toEqual({ a: [1] });
});

it.each([
  ['a: &a [*a]', 'an alias (*) stands within its own anchor (&)'],
  ['&a {b: {c: *a}}', 'an alias (*) stands within its own anchor (&)'],
  ['a: *nowhere', 'an alias (*) has no anchor (&)'],
  ['{"a": ', 'a.yaml:1:'],
])('refuses %s', (text, problem) => {
  expect(() => read(text)).toThrow(problem);
});

it('reads a hundred nested lists, side by side and item by item', () => {
  expect(() => read(`${'['.repeat(100)}${']'.repeat(100)}`)).not.toThrow();
  expect(read(`[${'[],'.repeat(1_000)}1]`)).toHaveLength(1_001);
  expect(read('- - 1\n'.repeat(1_000))).toHaveLength(1_000);
});

it.each([
  ['brackets', '['.repeat(9_900_000)],
  ['braces', '{a: '.repeat(1_000)],
  ['items', '- '.repeat(100_000)],
  ['lines', Array.from({ length: 3_000 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join('')],
])('refuses %s that are nested without end', (_, text) => {
  expect(() => read(text)).toThrow('a.yaml: is nested too deep; files for partnerkit are nested a few levels');
});

it('names the place of every duplicate key', () => {
  expect(() => read('a: 1\nb: {c: 1, c: 2}\na: 3')).toThrow(
    /a\.yaml:3:1: Map keys must be unique\n.*a\.yaml:2:11: Map keys/,
  );
});

it('refuses a file of mistakes at the first mistake', () => {
  expect(() => read('}\n'.repeat(20_000))).toThrow(/^[^\n]*a\.yaml:1:1: [^\n]*$/);
});

it('names twenty duplicate keys, and counts the rest', () => {
  expect(() => read('a: 1\n'.repeat(100))).toThrow(/a\.yaml:21:1: .*\n.*: and 79 more mistakes$/);
});

it.each([
  [
    'a blank too few',
    'tenants:\n  - name: acme\n   keys:\n      - name: full\n        secret: x\n    sites: {}\n',
    '3:1',
  ],
  [
    'blanks too many',
    'tenant: acme\nkeys:\n  - name: x\n     secret: y\n     scopes: []\n  - name: z\n     secret: y\n',
    '3:11',
  ],
  ['a blank at the beginning', 'a: 1\n b: 2\nc: 3\n', '1:4'],
  ['a tab', 'a:\n\tb: 1\n', '2:1'],
])('tells %s once, and where to look', (_, text, place) => {
  expect(() => read(text)).toThrow(
    new RegExp(`^[^\\n]*a\\.yaml:${place}: [^\\n]*; check the indentation of this line and the next$`),
  );
});

it('reads 20,000 keys within a test', () => {
  expect(Object.keys(read(Array.from({ length: 20_000 }, (_, i) => `k${i}: 1`).join('\n')) as object)).toHaveLength(
    20_000,
  );
});
