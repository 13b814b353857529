import type { Page } from './pages.ts';

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
