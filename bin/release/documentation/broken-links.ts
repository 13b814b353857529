import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from './pages.ts';

/** The links of a page, as written. */
export function linksOf({ text }: Page): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
}

/** Links of a page to missing files or headings. @param root the folder that paths of pages start from */
export function brokenLinks(page: Page, root: string): string[] {
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
