import type { ApiKey } from '../gateway/key-ring.ts';

type Headers = Readonly<Record<string, string | undefined>>;

/** The headers without anything that opens a door: of a recognised key the part that the portal shows is left. */
export function redactHeaders(headers: Headers, key: ApiKey | null): Headers {
  const secret = headers['x-api-key'];
  const { authorization, cookie } = headers;
  // One copy is all that most requests need: they have the key and nothing else to hide.
  const redacted: Record<string, string | undefined> = { ...headers };
  if (secret !== undefined) {
    redacted['x-api-key'] = key === null ? `(unknown key, ${secret.length} characters)` : `${key.prefix}…`;
  }
  if (authorization !== undefined) redacted.authorization = `${authorization.split(' ', 1)[0]} …`;
  if (cookie !== undefined) redacted.cookie = '…';
  return redacted;
}

/** Values of query parameters that are secrets by their name, in a URL or anywhere in a text that holds one. */
export function redactQuery(text: string): string {
  return text.replace(/([?&][^=&\s"]*(?:key|token|secret|signature)=)[^&\s"]*/gi, '$1…');
}

/** Also where a client put its key into the body or the path by mistake. */
export function redactSecret(text: string, secret: string | undefined): string {
  return secret === undefined || secret.length < 8 || !text.includes(secret) ? text : text.replaceAll(secret, '…');
}
