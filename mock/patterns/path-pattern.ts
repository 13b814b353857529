import { wildcard } from './wildcard.ts';

/** Tests the path of a URL, without its query, against text in which `*` stands for anything. */
export function pathPattern(pattern: string): (url: string) => boolean {
  const fits = wildcard(pattern);
  return (url) => fits(url.split('?', 1)[0] ?? '');
}
