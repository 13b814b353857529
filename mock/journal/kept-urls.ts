import { Recent } from '../store/recent.ts';

/** With `maxUrlLength` this bounds the memory to 200 KB. */
const keptUrls = 500;
const maxUrlLength = 200;

/**
 * Redacts URLs. A URL without a secret is searched once, and equal URLs share one string: a string
 * of its own for every exchange outlives the request, and thousands of them a second let V8 make room for its young objects
 * that it never gives back: 35 MB.
 */
export function createKeptUrls(): (url: string, clean: (text: string) => string) => string {
  const recent = new Recent<string, string>(keptUrls);
  return (url, clean) => {
    const known = recent.get(url);
    if (known !== undefined) return known;
    const redacted = clean(url);
    // A URL with a secret is never kept, not even for comparison.
    if (redacted === url && url.length <= maxUrlLength) recent.set(url, url);
    return redacted;
  };
}
