import type { ApiKey } from '../keys/key-ring.ts';
import { type Headers, redactHeaders } from './redact-headers.ts';

/** Characters of headers up to which they are kept: ten thousand keys take 20 MB at most, mostly 2. */
const maxKeptLength = 1_000;

/**
 * Redacted headers, where the next request of a key mostly has those of the one before: then the same object serves again,
 * and nothing has to be searched for secrets. They live as long as their key.
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
    if (before !== undefined && areThose(headers, before)) return before;
    const redacted = redactHeaders(headers, key, clean);
    // Where more than the key had to be hidden, this will not be what comes next: it is compared as it was sent.
    if (lengthOf(redacted) <= maxKeptLength) last.set(key, redacted);
    return redacted;
  };
}

function lengthOf(headers: Headers): number {
  let length = 0;
  for (const name in headers) length += name.length + (headers[name]?.length ?? 0);
  return length;
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
