import type { Page } from './pages.ts';

/** A fenced block of a page. */
export interface Block {
  /** Its page and its first line that is no comment, for people. */
  readonly name: string;
  readonly language: string;
  readonly text: string;
}

/** Every fenced block of a page, in order, with or without a language, indented or not. */
export function everyBlock({ file, text }: Page): Block[] {
  return [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)].map(([, indent = '', language = '', block = '']) => {
    const lines = block.split('\n').map((line) => line.slice(indent.length));
    const first = lines.find((line) => !/^(?:#|$)/.test(line)) ?? '';
    return { name: `${file}: ${first}`, language, text: lines.join('\n') };
  });
}
