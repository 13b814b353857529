import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { z } from 'zod';
import { readJsonReport, readTextFile, readYamlFile } from './read-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'yaml-'));
const file = join(folder, 'a.yaml');
afterAll(() => rmSync(folder, { recursive: true }));
const read = (text: string | Buffer) => {
  writeFileSync(file, text);
  return readYamlFile(file);
};

it('reads YAML with aliases, and JSON', () => {
  expect(read('a: &a [1]\nb: *a')).toEqual({ a: [1], b: [1] });
  expect(read('{"a": [1]}')).toEqual({ a: [1] });
});

it.each([
  ['a: &a [*a]', 'an alias (*) has no anchor (&), stands within its own'],
  ['&a {b: {c: *a}}', 'an alias (*) has no anchor (&), stands within its own'],
  ['a: *nowhere', 'an alias (*) has no anchor (&)'],
  ['{"a": ', 'a.yaml:1:'],
])('refuses %s', (text, problem) => {
  expect(() => read(text)).toThrow(problem);
});

it('reads UTF-8 with a byte order mark, and one document between its marks', () => {
  expect(read('\ufeffa: é')).toEqual({ a: 'é' });
  expect(read('---\na: 1\n...\n')).toEqual({ a: 1 });
});

const wide = Buffer.from('\ufefftenant: acme\n', 'utf16le');

it.each([
  ['UTF-16', wide],
  ['UTF-16 of the other order', Buffer.from(wide).swap16()],
  ['UTF-16 without a mark', wide.subarray(2)],
  ['Windows-1252', Buffer.from('tenant: acme\nname: Café\n', 'latin1')],
  ['bytes that are no text', Buffer.from([0x1f, 0x8b, 8, 1, 2])],
])('refuses %s, and says what to do', (_, bytes) => {
  expect(() => read(bytes)).toThrow(/a\.yaml: cannot be read: it is in another encoding, .*; save it as UTF-8/);
});

it.each(['a: 1\n---\nb: 2\n', 'a: 1\n---\n', '---\na: 1\n...\n---\nb: 2\n---\nc: 3\n'])(
  'refuses a second document and says where it begins: %j',
  (text) => {
    const line = text.startsWith('---') ? 4 : 2;
    expect(() => read(text)).toThrow(
      new RegExp(
        `^[^\\n]*a\\.yaml:${line}:1: a second document begins here \\(---\\); put each document into a file of its own$`,
      ),
    );
  },
);

it.each([
  ['an alias', `a: &a { b: 1 }\nc: [${'*a, '.repeat(101)}]`],
  ['a name', `a: &a x\nc: [${'*a, '.repeat(101)}]`],
  [
    'aliases of aliases',
    `a: &a [1]\nb: &b [${'*a, '.repeat(11)}]\nc: &c [${'*b, '.repeat(11)}]\nd: [${'*c, '.repeat(11)}]`,
  ],
])('refuses %s used too often, in our words', (_, text) => {
  expect(() => read(text)).toThrow('aliases stand for more than 100 values');
  expect(() => read(text)).not.toThrow(/Excessive/);
});

it('reads a hundred nested lists, side by side and item by item', () => {
  expect(() => read(`${'['.repeat(100)}${']'.repeat(100)}`)).not.toThrow();
  expect(read(`[${'[],'.repeat(1_000)}1]`)).toHaveLength(1_001);
  expect(read('- - 1\n'.repeat(1_000))).toHaveLength(1_000);
});

it.each([
  ['brackets', '['.repeat(1_000_000), '1:102'],
  ['braces', '{a: '.repeat(20_000), '1:402'],
  ['items', '- '.repeat(100_000), '1:202'],
  ['lines', Array.from({ length: 3_000 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join(''), '101:102'],
  ['brackets of a second document', `a: 1\n---\n${'['.repeat(1_000)}`, '3:102'],
])('refuses %s that are nested without end, where they are too deep', (_, text, place) => {
  expect(() => read(text)).toThrow(`a.yaml:${place}: is nested more than 100 deep; close what is open here`);
});

it('reads a report that is nested 100 deep, and refuses one that is deeper', () => {
  const report = (depth: number) => {
    writeFileSync(file, '['.repeat(depth) + ']'.repeat(depth));
    return () => readJsonReport(file, z.unknown());
  };
  expect(report(100)).not.toThrow();
  expect(report(101)).toThrow('a.yaml: is nested more than 100 deep; give a report of --report json=FILE');
});

it('names the place of every duplicate key', () => {
  expect(() => read('a: 1\nb: {c: 1, c: 2}\na: 3')).toThrow(
    /a\.yaml:2:11: Map keys must be unique\n.*a\.yaml:3:1: Map keys/,
  );
});

it('refuses a file of mistakes at the first mistake', () => {
  expect(() => read('}\n'.repeat(20_000))).toThrow(/^[^\n]*a\.yaml:1:1: [^\n]*$/);
});

it('names no more than twenty duplicate keys', () => {
  expect(() => read('a: 1\n'.repeat(100))).toThrow(/a\.yaml:21:1: [^\n]*$/);
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

it('reads a text up to the limit, and none that is longer', () => {
  const long = 'é'.repeat(1 << 20);
  writeFileSync(file, long);
  expect(readTextFile(file, 2 << 20) === long).toBe(true);
  expect(() => readTextFile(file, (2 << 20) - 1)).toThrow('is larger than 2 MB');
});
