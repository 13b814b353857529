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
