import { Recent } from '../store/recent.ts';

/** With `maxUrlLength` this bounds the memory to 200 KB. */
const keptUrls = 500;
const maxUrlLength = 200;

/**
 * Redacts URLs. A URL without a secret is searched once, and equal URLs share one string. With a new string for every
 * exchange, which outlives its request, V8 would enlarge its heap for young objects by 35 MB and never shrink it.
 */
export function createKeptUrls(): (url: string, clean: (text: string) => string) => string {
  const recent = new Recent<string, string>(keptUrls);
  return (url, clean) => {
    const known = recent.get(url);
    if (known !== undefined) return known;
    const redacted = clean(url);
    // A URL with a secret is never cached.
    if (redacted === url && url.length <= maxUrlLength) recent.set(url, url);
    return redacted;
  };
}
