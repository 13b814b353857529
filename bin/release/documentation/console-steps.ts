import { blocksOf, type Page } from './pages.ts';

interface ConsoleStep {
  readonly command: string;
  readonly output: string;
}

/** The commands in the console blocks of a page, with their output. */
export function consoleSteps(page: Page): ConsoleStep[] {
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
