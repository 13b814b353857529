import type { ApiKey } from '../keys/key-ring.ts';
import { Recent } from '../store/recent.ts';
import { type Headers, redactHeaders } from './redact-headers.ts';

/** Where more keys than this take turns, a copy costs less than looking for the one before. */
const keptKeys = 100;

/**
 * Redacted headers, where the next request of a key mostly has those of the one before: then the same object serves again,
 * which is cheaper than a copy that has to live as long as its exchange.
 */
export function createKeptHeaders(): (
  headers: Headers,
  key: ApiKey | null,
  clean: (text: string) => string,
) => Headers {
  const last = new Recent<ApiKey, Headers>(keptKeys);
  return (headers, key, clean) => {
    if (key === null) return redactHeaders(headers, null, clean);
    const before = last.get(key);
    if (before !== undefined && areThose(headers, before)) return before;
    const redacted = redactHeaders(headers, key, clean);
    // Where more than the key had to be hidden, this will not be what comes next: it is compared as it was sent.
    last.set(key, redacted);
    return redacted;
  };
}

/** Whether these are the same, apart from the key: nothing else had to be hidden then. */
export function areThose(headers: Headers, redacted: Headers): boolean {
  let count = 0;
  for (const name in headers) {
    if (name !== 'x-api-key' && headers[name] !== redacted[name]) return false;
    count++;
  }
  for (const _ in redacted) count--;
  return count === 0;
}
