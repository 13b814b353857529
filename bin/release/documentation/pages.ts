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

/** A fenced block of a page. */
export interface Block {
  /** The page and the first line that is not a comment, for messages. */
  readonly name: string;
  readonly language: string;
  readonly text: string;
}

/** All fenced blocks of a page in order, also indented ones and ones without a language. */
export function everyBlock({ file, text }: Page): Block[] {
  return [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)].map(([, indent = '', language = '', block = '']) => {
    const lines = block.split('\n').map((line) => line.slice(indent.length));
    const first = lines.find((line) => !/^(?:#|$)/.test(line)) ?? '';
    return { name: `${file}: ${first}`, language, text: lines.join('\n') };
  });
}

/** The texts of the blocks of a language on a page. */
export const blocksOf = (page: Page, language: string): string[] =>
  everyBlock(page).flatMap((block) => (block.language === language ? block.text : []));
