import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** A page of the documentation. `file` is its path from the root. */
export interface Page {
  readonly file: string;
  readonly text: string;
}

const root = resolve(import.meta.dirname, '../../..');

/** All Markdown pages, without those that test runs write and without reports of the public API. */
export const pages: readonly Page[] = globSync(['*.md', '{spec,mock,conformance,load,fidelity,bin,fixtures}/**/*.md'], {
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

/** The commands in the console blocks of a page, with their output. */
export function consoleSteps(page: Page) {
  return blocksOf(page, 'console').flatMap((block) =>
    [...block.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)].map(([, command = '', output = '']) => ({ command, output })),
  );
}

/** Whether a command printed the output on the page. There `...` stands for any text, `<uuid>` and `<time>` for any UUID and time. */
export function matchesShown(printed: string, shown: string): boolean {
  const pattern = shown
    .trim()
    .split(/(\.\.\.|<uuid>|<time>)/)
    .map((part) => wildcards[part] ?? part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('');
  return new RegExp(`^${pattern}$`).test(printed.replaceAll('\r', '').trim());
}

const wildcards: Readonly<Record<string, string>> = {
  '...': '[\\s\\S]*',
  '<uuid>': '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  '<time>': '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z',
};

/** The links of a page, as written. */
export function linksOf({ text }: Page): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
}

/** Links of a page to missing files or headings. */
export function brokenLinks(page: Page): string[] {
  const { file } = page;
  return linksOf(page).filter((link) => {
    if (/^[a-z]+:/.test(link)) return !URL.canParse(link);
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? join(root, file) : join(root, dirname(file), decodeURIComponent(path));
    if (!existsSync(target)) return true;
    return anchor !== undefined && target.endsWith('.md') && !headings(readFileSync(target, 'utf8')).includes(anchor);
  });
}

/** The anchors that GitHub gives the headings of a page. */
const headings = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
