import type { ApiKey } from '../gateway/key-ring.ts';

type Headers = Readonly<Record<string, string | undefined>>;

/** The headers without anything that opens a door: of a recognised key the part that the portal shows is left. */
export function redactHeaders(headers: Headers, key: ApiKey | null): Headers {
  const secret = headers['x-api-key'];
  const { authorization, cookie } = headers;
  if (secret === undefined && authorization === undefined && cookie === undefined) return { ...headers };
  return {
    ...headers,
    ...(secret !== undefined && {
      'x-api-key': key === null ? `(unknown key, ${secret.length} characters)` : `${key.prefix}…`,
    }),
    ...(authorization !== undefined && { authorization: `${authorization.split(' ', 1)[0]} …` }),
    ...(cookie !== undefined && { cookie: '…' }),
  };
}

/** Values of query parameters that are secrets by their name, in a URL or anywhere in a text that holds one. */
export function redactQuery(text: string): string {
  return text.replace(/([?&][^=&\s"]*(?:key|token|secret|signature)=)[^&\s"]*/gi, '$1…');
}

/** Also where a client put its key into the body or the path by mistake. */
export function redactSecret(text: string, secret: string | undefined): string {
  return secret === undefined || secret.length < 8 || !text.includes(secret) ? text : text.replaceAll(secret, '…');
}
