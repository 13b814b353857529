import { Recent } from '../store/recent.ts';

/** With the longest that is kept, this bounds the memory to 200 KB. */
const keptUrls = 500;
const longest = 200;

/**
 * Gives one string for URLs that are equal. A string of its own for every exchange outlives the request, and thousands of
 * them a second let V8 make room for its young objects that it never gives back: 35 MB.
 */
export function createKeptUrls(): (url: string) => string {
  const recent = new Recent<string, string>(keptUrls);
  return (url) => {
    if (url.length > longest) return url;
    const known = recent.get(url);
    if (known !== undefined) return known;
    recent.set(url, url);
    return url;
  };
}
