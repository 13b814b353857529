import type { Exchange } from '../../control/control-types.ts';

/** What curl sends by itself, or what belongs to one connection only. */
const own = new Set([
  'host',
  'user-agent',
  'accept-encoding',
  'connection',
  'content-length',
  'transfer-encoding',
  'expect',
  'cookie',
  'referer',
  'origin',
  'accept-language',
  'x-api-key',
  'authorization',
]);

type Headers = Exchange['request']['headers'];

/** The headers that somebody chose, without the key. */
export const chosenHeaders = (headers: Headers): [string, string][] =>
  Object.entries(headers).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      !own.has(entry[0]) &&
      !entry[0].startsWith('sec-') &&
      !(entry[0] === 'accept' && entry[1] === '*/*'),
  );

/** In single quotes for a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * The request as a curl command, with `$KEY` where the API key was: the journal does not know it.
 * @param origin scheme, host and port of the mock
 */
export function asCurl({ request }: Pick<Exchange, 'request'>, origin: string): string {
  const { method, url, headers, body } = request;
  const verb = method === 'HEAD' ? '-I' : method === 'GET' ? '-i' : `-i -X ${method}`;
  const parts = [`curl ${verb}`];
  if (headers['x-api-key'] !== undefined) parts.push('-H "x-api-key: $KEY"');
  if (headers.authorization !== undefined) {
    parts.push(`-H "Authorization: ${headers.authorization.split(' ', 1)[0]} $KEY"`);
  }
  for (const [name, value] of chosenHeaders(headers)) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (body !== null) parts.push(`--data-raw ${quoted(body.text)}`);
  parts.push(quoted(origin + url));
  return parts.join(' \\\n  ');
}
