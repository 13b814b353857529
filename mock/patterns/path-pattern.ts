import { plainPath } from './plain-path.ts';
import { wildcard } from './wildcard.ts';

/** Tests the path of a URL, without its query, against a pattern in which `*` matches any text. */
export function pathPattern(pattern: string): (url: string) => boolean {
  const matches = wildcard(pattern);
  return (url) => matches(plainPath(url).split('?', 1)[0] ?? '');
}
