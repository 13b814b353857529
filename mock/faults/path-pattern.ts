/** Tests the path of a URL, without its query, against text in which `*` stands for anything. */
export function pathPattern(pattern: string): (url: string) => boolean {
  const pathOf = (url: string) => url.split('?', 1)[0] ?? '';
  if (!pattern.includes('*')) return (url) => pathOf(url) === pattern;
  const parts = pattern.split('*');
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  const between = parts.slice(1, -1);
  // Not a regular expression: a pattern from outside must not be able to make matching slow.
  return (url) => {
    const path = pathOf(url);
    if (!path.startsWith(first) || path.length < first.length + last.length || !path.endsWith(last)) return false;
    let at = first.length;
    for (const part of between) {
      const found = path.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at <= path.length - last.length;
  };
}
