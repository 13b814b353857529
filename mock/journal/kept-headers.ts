import type { ApiKey } from '../keys/key-ring.ts';
import { type Headers, redactHeaders } from './redact-headers.ts';

/** Headers of more characters are not kept. Ten thousand keys take 20 MB at most, mostly 2. */
const maxKeptLength = 1_000;

/**
 * Redacts headers. A key's next request mostly has the headers of the request before: the same object then serves again,
 * and no search for secrets is needed. Kept headers live as long as their key.
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
    // Where more than the key was redacted, the next request's headers will differ from the kept ones and be redacted anew.
    if (lengthOf(redacted) <= maxKeptLength) last.set(key, redacted);
    return redacted;
  };
}

function lengthOf(headers: Headers): number {
  let length = 0;
  for (const name in headers) length += name.length + (headers[name]?.length ?? 0);
  return length;
}

/** Whether headers as sent equal redacted headers, apart from the key: nothing but the key was redacted then. */
export function areThose(headers: Headers, redacted: Headers): boolean {
  let count = 0;
  for (const name in headers) {
    if (name !== 'x-api-key' && headers[name] !== redacted[name]) return false;
    count++;
  }
  for (const _ in redacted) count--;
  return count === 0;
}
