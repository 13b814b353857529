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
  ['a: *nowhere', 'nowhere'],
  ['{"a": ', 'a.yaml:1:'],
])('refuses %s', (text, problem) => {
  expect(() => read(text)).toThrow(problem);
});
