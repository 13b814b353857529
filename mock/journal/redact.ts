import type { ApiKey } from '../keys/key-ring.ts';
import { withoutSecret } from './secret-forms.ts';

type Headers = Readonly<Record<string, string | undefined>>;

/** The headers without anything that opens a door: of a recognised key the part that the portal shows is left. */
export function redactHeaders(headers: Headers, key: ApiKey | null): Headers {
  const secret = headers['x-api-key'];
  const { authorization, cookie } = headers;
  // One copy is all that most requests need: they have the key and nothing else to hide.
  const redacted: Record<string, string | undefined> = { ...headers };
  if (secret !== undefined) {
    // Clients repeat their key where it does not belong; most headers are too short to hold one.
    for (const name in headers) {
      const value = headers[name] ?? '';
      if (value.length >= secret.length) redacted[name] = redactSecret(value, secret);
    }
    redacted['x-api-key'] = key === null ? `(unknown key, ${secret.length} characters)` : `${key.prefix}…`;
  }
  if (authorization !== undefined) redacted.authorization = redactAuthorization(authorization);
  if (headers['proxy-authorization'] !== undefined) redacted['proxy-authorization'] = '…';
  if (cookie !== undefined) redacted.cookie = '…';
  return redacted;
}

/** The scheme stays; where there is none, all of it is the secret. */
function redactAuthorization(value: string): string {
  const scheme = /^([a-z-]{1,20}) /i.exec(value)?.[1];
  return scheme === undefined ? '…' : `${scheme} …`;
}

/** Values of query parameters that are secrets by their name, in a URL or anywhere in a text that holds one. */
export function redactQuery(text: string): string {
  return text.replace(/([?&][^=&\s"]*(?:key|token|secret|signature)=)[^&\s"]*/gi, '$1…');
}

/** Also where a client put its key into the body or the path by mistake, in whatever form. */
export function redactSecret(text: string, secret: string | undefined): string {
  return secret === undefined || secret.length < 8 ? text : withoutSecret(text, secret);
}
