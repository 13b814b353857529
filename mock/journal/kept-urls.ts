import { Recent } from '../store/recent.ts';

/** With `maxUrlLength` this bounds the memory to 200 KB. */
const keptUrls = 500;
const maxUrlLength = 200;

/**
 * Gives URLs without secrets. Those that hold none are looked through once, and are one string where they are equal: a string
 * of its own for every exchange outlives the request, and thousands of them a second let V8 make room for its young objects
 * that it never gives back: 35 MB.
 */
export function createKeptUrls(): (url: string, clean: (text: string) => string) => string {
  const recent = new Recent<string, string>(keptUrls);
  return (url, clean) => {
    const known = recent.get(url);
    if (known !== undefined) return known;
    const redacted = clean(url);
    // No secret stays, not even to compare with.
    if (redacted === url && url.length <= maxUrlLength) recent.set(url, url);
    return redacted;
  };
}
