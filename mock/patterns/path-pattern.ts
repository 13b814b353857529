import { plainPath } from './plain-path.ts';

/** Tests the path of a URL, without its query, against a pattern in which `*` matches any text. */
export function pathPattern(pattern: string): (url: string) => boolean {
  const matches = wildcard(pattern);
  return (url) => matches(plainPath(url).split('?', 1)[0] ?? '');
}

/** Tests a text against a pattern in which `*` matches any text. */
export function wildcard(pattern: string): (text: string) => boolean {
  if (!pattern.includes('*')) return (text) => text === pattern;
  const parts = pattern.split('*');
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  const between = parts.slice(1, -1);
  // Regular expressions are avoided, because a pattern from outside could make them slow.
  return (text) => {
    if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
    let at = first.length;
    for (const part of between) {
      const found = text.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at <= text.length - last.length;
  };
}
