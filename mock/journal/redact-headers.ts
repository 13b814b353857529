import type { ApiKey } from '../keys/key-ring.ts';

type Headers = Readonly<Record<string, string | undefined>>;

/** Headers whose names say that they hold credentials. */
const credential = /^(?:cookie|proxy-authorization)$|api[-_]?key|token|secret|password|signature/;

/**
 * The headers without credentials. Of a known key, the part that the portal shows is left.
 * @param clean redacts the secrets in a text
 */
export function redactHeaders(headers: Headers, key: ApiKey | null, clean: (text: string) => string): Headers {
  const redacted: Record<string, string | undefined> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) redacted[name] = undefined;
    else if (name === 'x-api-key') redacted[name] = key === null ? unknownKey(value) : `${value}…`;
    else if (name === 'authorization') redacted[name] = redactAuthorization(value);
    // A client may have put the secret into the name of a header by mistake.
    else redacted[clean(name)] = credential.test(name) ? '…' : clean(value);
  }
  return redacted;
}

const unknownKey = (secret: string) => `(unknown key, ${secret.length} characters)`;

/** The scheme of an Authorization header stays; without a scheme the whole value is redacted. */
function redactAuthorization(value: string): string {
  const scheme = /^([a-z-]{1,20}) /i.exec(value)?.[1];
  return scheme === undefined ? '…' : `${scheme} …`;
}
