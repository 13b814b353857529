import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** A page of the documentation. `file` is its path from the root. */
export interface Page {
  readonly file: string;
  readonly text: string;
}

const root = resolve(import.meta.dirname, '../../..');

/** All Markdown pages, without those that test runs write and without reports of the public API. */
export const pages: readonly Page[] = globSync(['*.md', '{spec,mock,conformance,load,bin,fixtures}/**/*.md'], {
  cwd: root,
  exclude: ['**/node_modules/**', '**/dist/**', '**/*.api.md'],
})
  .sort()
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

/** The blocks of a language on a page. */
export const blocksOf = ({ text }: Page, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, block = '']) => block);
