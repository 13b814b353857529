import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations } from '../../../spec/operations.ts';
import { rulesFor } from '../../../spec/rules.ts';
import { circlesOf } from './circles.ts';
import { repeatsIn } from './repeats.ts';
import {
  code,
  exportsOf,
  files,
  generatedCode,
  importsOf,
  isWorkshop,
  namesImportedBy,
  parts,
  root,
  sources,
  text,
} from './sources.ts';

/** What each part may import. bin joins everything; fixtures is data. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  spec: ['spec'],
  mock: ['mock', 'spec', 'fixtures'],
  conformance: ['conformance', 'spec', 'fixtures'],
  // It is the mock that is broken on purpose, to prove checks and scenarios with.
  'conformance, workshop': ['conformance', 'spec', 'mock', 'fixtures'],
  load: ['load', 'spec', 'fixtures'],
  'load, workshop': ['load', 'spec', 'mock', 'fixtures'],
  bin: ['bin', 'mock', 'conformance', 'load', 'spec', 'fixtures'],
  fixtures: ['spec'],
};

/** What is started by its path: by k6, and by the action on GitHub. */
const started = ['load/k6/main.ts', 'conformance/ci/annotate.ts'];

const { exports: exported, bin } = JSON.parse(text('package.json'));
const faces = JSON.stringify([exported, bin]).matchAll(/\.?\/?dist\/([^"]+)\.js"/g);
/** Where others enter: what package.json names, and what is started. */
const entries = new Set([...[...faces].map(([, path]) => `${path}.ts`), ...started]);

describe('the layout', () => {
  it('has no more folders at the top than the parts', () => {
    const folders = readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map((entry) => entry.name)
      .filter((name) => !['node_modules', 'dist', 'coverage', ...parts].includes(name));
    expect(folders).toEqual([]);
  });

  it.each(code)('%s imports only from the parts that it may', (file) => {
    const [part = ''] = file.split('/');
    const allowed = (isWorkshop(file) && arrows[`${part}, workshop`]) || arrows[part];
    expect(importsOf(file).filter((imported) => !allowed?.includes(imported.split('/')[0] ?? ''))).toEqual([]);
  });

  it('keeps proof and release out of the package', () => {
    const entering = code
      .filter((file) => !isWorkshop(file))
      .flatMap((file) =>
        importsOf(file)
          .filter(isWorkshop)
          .map((imported) => `${file} imports ${imported}`),
      );
    expect(entering).toEqual([]);
    const patterns: string[] = JSON.parse(text('tsconfig.build.json')).exclude;
    const everywhere = ['**/node_modules', 'dist', '*.config.ts', 'mock/console'];
    const workshop = ['**/*.test.ts', '**/proof', '**/release'];
    expect(patterns.sort()).toEqual([...everywhere, ...workshop].sort());
  });

  it('exports nothing that no other file imports', () => {
    const everything = [...code, ...generatedCode];
    const imported = new Set(everything.flatMap(namesImportedBy));
    const passedOn = everything.flatMap((file) =>
      [...text(file).matchAll(/^export (?:type )?\* from '(.*)'/gm)].map(([, from = '']) => join(dirname(file), from)),
    );
    const idle = code
      .filter((file) => !entries.has(file) && !passedOn.includes(file))
      .flatMap((file) => exportsOf(file).map((name) => `${file}: ${name}`))
      .filter((name) => !imported.has(name));
    expect(idle).toEqual([]);
  });

  it('ships nothing that only tests and proofs use', () => {
    const shipped = code.filter((file) => !isWorkshop(file) && !file.startsWith('mock/console/'));
    const imported = new Set(shipped.flatMap(importsOf));
    const orphans = shipped.filter((file) => !imported.has(file) && !entries.has(file));
    // A generated table imports the operations.
    expect(orphans.filter((file) => dirname(file) !== 'mock/operations')).toEqual([]);
  });

  it('has no circle between folders', () => {
    const edges = sources.flatMap((file) => importsOf(file).map((imported) => [file, imported] as const));
    expect(circlesOf(edges)).toEqual([]);
  });

  it('has no six lines that stand in two sources', () => {
    const repeats = repeatsIn(new Map(sources.map((file) => [file, text(file)])), 6);
    expect(repeats.map(({ places, lines }) => `${places.join(' and ')}: ${lines} lines`)).toEqual([]);
  });

  it('has no folder named src, utils, lib or the like', () => {
    expect(files.filter((file) => /\/(src|test|tests|utils?|helpers?|common|lib)\//.test(file))).toEqual([]);
  });

  it('has one file per operation of the contract, and no other', () => {
    const expected = [...Object.keys(operations).map((id) => `${id}.ts`), 'generated'].sort();
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
