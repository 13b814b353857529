import type { ApiKey } from '../keys/key-ring.ts';
import { type Headers, redactHeaders } from './redact-headers.ts';

/** Longer headers (in characters) are not cached. So ten thousand keys take 20 MB at most, and mostly 2. */
const maxKeptLength = 1_000;

/**
 * Redacts headers. A key's next request mostly has the same headers as the one before. Then the same redacted object is
 * returned without another search for secrets. Cached headers live as long as their key.
 */
export function createKeptHeaders(): (
  headers: Headers,
  key: ApiKey | null,
  clean: (text: string) => string,
) => Headers {
  const last = new WeakMap<ApiKey, Headers>();
  return (headers, key, clean) => {
    if (key === null) return redactHeaders(headers, null, clean);
    const before = last.get(key);
    if (before !== undefined && onlyKeyRedacted(headers, before)) return before;
    const redacted = redactHeaders(headers, key, clean);
    // If more than the key was redacted, the next request's headers differ from the cached ones and are redacted again.
    if (lengthOf(redacted) <= maxKeptLength) last.set(key, redacted);
    return redacted;
  };
}

function lengthOf(headers: Headers): number {
  let length = 0;
  for (const name in headers) length += name.length + (headers[name]?.length ?? 0);
  return length;
}

/** Whether headers equal redacted headers apart from the key, so that nothing else was redacted. */
export function onlyKeyRedacted(headers: Headers, redacted: Headers): boolean {
  let count = 0;
  for (const name in headers) {
    if (name !== 'x-api-key' && headers[name] !== redacted[name]) return false;
    count++;
  }
  for (const _ in redacted) count--;
  return count === 0;
}
