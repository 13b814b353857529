import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../../..');
export const parts = ['spec', 'mock', 'conformance', 'load', 'bin', 'fixtures'] as const;

const skipped = new Set(['node_modules', 'dist']);
const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (skipped.has(entry.name)) return [];
    return entry.isDirectory() ? filesBelow(path) : [path];
  });

const all = parts.flatMap(filesBelow);
const isGenerated = (file: string) => file.includes('/generated/');
/** Every file of the parts that people write, as a path from the root. */
export const files: readonly string[] = all.filter((file) => !isGenerated(file));
export const text = (file: string): string => readFileSync(join(root, file), 'utf8');

const isTest = (file: string) => /\.test\.tsx?$/.test(file);
const isCode = (file: string) => /\.tsx?$/.test(file);
export const code = files.filter(isCode);
export const generatedCode = all.filter((file) => isGenerated(file) && isCode(file));
/** Code that is no test. */
export const sources = code.filter((file) => !isTest(file));
/** Whether a file is for those who work on the kit alone: what proves it, builds it or checks it. */
export const isWorkshop = (file: string): boolean => isTest(file) || /(?:^|\/)(?:proof|release)\//.test(file);

/** Relative imports of a file, static and dynamic, types too, as paths from the root. */
export const importsOf = (file: string): string[] =>
  [...text(file).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g)].map(([, specifier = '']) =>
    relative(root, join(root, dirname(file), specifier)),
  );

const withoutComments = (source: string): string =>
  // A `//` within a word, as in a URL, begins no comment.
  source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');

/** What a file imports by name, each as `path: name`. An import of the whole module may use each word of the file. */
export function namesImportedBy(file: string): string[] {
  const source = withoutComments(text(file));
  return importsOf(file).flatMap((imported) => {
    const specifier = imported.slice(imported.lastIndexOf('/') + 1).replaceAll('.', '\\.');
    const lists = source.matchAll(new RegExp(`(?:\\{([^{}]*)\\} from |import\\(\\s*)'[^']*/${specifier}'`, 'g'));
    const listed = [...lists].map(([, list = source]) => list).join();
    return [...(listed || source).matchAll(/\w+/g)].map(([name]) => `${imported}: ${name}`);
  });
}

/** What a file exports by name, the examples in its templates apart. */
export const exportsOf = (file: string): string[] =>
  [
    ...text(file)
      .replace(/`[^`]*`/g, '')
      .matchAll(/^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm),
  ].map(([, name = '']) => name);
