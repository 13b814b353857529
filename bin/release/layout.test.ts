import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations } from '../../spec/operations.ts';
import { rulesFor } from '../../spec/rules.ts';

const root = resolve(import.meta.dirname, '../..');
const parts = ['spec', 'mock', 'conformance', 'load', 'bin', 'fixtures'] as const;
const skipped = new Set(['node_modules', 'generated', 'dist']);

const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (skipped.has(entry.name)) return [];
    return entry.isDirectory() ? filesBelow(path) : [path];
  });

const present = parts.filter((part) => readdirSync(root).includes(part));
const files = present.flatMap(filesBelow);
const code = files.filter((file) => /\.(ts|tsx|js|css)$/.test(file));
const text = (file: string) => readFileSync(join(root, file), 'utf8');

/** Relative imports of a file, static and dynamic, as paths from the root. */
const importsOf = (file: string): string[] =>
  [...text(file).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g)].map((match) =>
    relative(root, join(root, dirname(file), match[1] ?? '')),
  );

/** What each part may import. Proof breaks the mock on purpose, as tests of checks do; bin joins everything; fixtures is data. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  spec: ['spec'],
  mock: ['mock', 'spec', 'fixtures'],
  'mock/proof': ['mock', 'conformance', 'spec', 'fixtures'],
  conformance: ['conformance', 'spec', 'fixtures'],
  'conformance/proof': ['conformance', 'spec', 'mock', 'fixtures'],
  load: ['load', 'spec', 'fixtures'],
  bin: ['bin', 'mock', 'conformance', 'load', 'spec', 'fixtures'],
  fixtures: ['spec'],
};

describe('the layout', () => {
  it('has no more folders at the top than the parts', () => {
    const folders = readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map((entry) => entry.name)
      .filter((name) => !['node_modules', 'dist', 'coverage', ...parts].includes(name));
    expect(folders).toEqual([]);
  });

  it.each(code)('%s imports along the arrows', (file) => {
    const proves = /^(?<part>conformance|mock)\/(proof\/|.*\.test\.ts$)/.exec(file);
    const from = proves ? `${proves.groups?.part}/proof` : (file.split('/')[0] ?? '');
    const against = importsOf(file).filter((imported) => {
      const to = imported.split('/')[0] ?? '';
      const ships = (path: string) => !/\/(proof|release)\/|^bin\/load-proof\/|\.test\.ts$/.test(path);
      const intoProof = ships(file) && !ships(imported);
      return !arrows[from]?.includes(to) || intoProof;
    });
    expect(against).toEqual([]);
  });

  it('has no file over 300 lines', () => {
    expect(code.filter((file) => text(file).split('\n').length > 301)).toEqual([]);
  });

  it('has no folder without a name of its own', () => {
    expect(files.filter((file) => /\/(src|test|tests|utils?|helpers?|common|lib)\//.test(file))).toEqual([]);
  });

  it('has one file per operation of the contract, and no other', () => {
    const expected = [...Object.keys(operations).map((id) => `${id}.ts`), 'index.ts'].sort();
    expect(
      readdirSync(join(root, 'mock/operations'))
        .filter((name) => !name.endsWith('.test.ts'))
        .sort(),
    ).toEqual(expected);
  });

  it('names every rule that only tests of the mock can verify in such a test', () => {
    const tests = files
      .filter((file) => /^(mock|bin)\/.*\.test\.ts$/.test(file))
      .map(text)
      .join('\n');
    const unproved = rulesFor('mock').filter(({ id }) => !tests.includes(id));
    expect(unproved.map(({ id }) => id)).toEqual([]);
  });
});
