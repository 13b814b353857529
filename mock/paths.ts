/** Upload URLs point here. It is not below `/v1`, because uploads need no API key and take no tokens from a bucket. */
export const storagePath = '/storage/';

/** Matches the paths that the mock answers itself: the API and the storage target. */
export const partnerPath = /^(?:\/v1(?:[/?]|$)|\/storage\/)/;

/** Whether the mock answers a URL (path and query) itself. */
export const isPartnerPath = (url: string): boolean => partnerPath.test(url);

/**
 * A URL whose path has nothing encoded that needs no encoding: `/v1/l%61bels` is `/v1/labels` (RFC 3986, 6.2.2.2). A path that
 * cannot be decoded stays as it is.
 */
export function plainPath(url: string): string {
  if (!url.includes('%')) return url;
  const [path = ''] = url.split('?', 1);
  if (/%(?![\da-f]{2})/i.test(path)) return url;
  const unreserved = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;
  return path.replace(unreserved, (encoded) => decodeURIComponent(encoded)) + url.slice(path.length);
}

/** Tests the path of a URL, without its query, against a pattern in which `*` matches any text. */
export function pathPattern(pattern: string): (url: string) => boolean {
  const matches = wildcard(pattern);
  return (url) => matches(plainPath(url).split('?', 1)[0] ?? '');
}

/** Tests a text against a pattern in which `*` matches any text. */
export function wildcard(pattern: string): (text: string) => boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return (text) => text === pattern;
  // Regular expressions are avoided, because a pattern from outside could make them slow.
  return (text) => {
    let at = text.startsWith(first) ? first.length : -1;
    for (const part of rest) {
      const found = at < 0 ? at : text.indexOf(part, at);
      at = found < 0 ? found : found + part.length;
    }
    return at >= 0 && at <= text.length - last.length && text.endsWith(last);
  };
}
