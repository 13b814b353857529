import { shellQuoted } from '../../../../spec/text/shell-quoted.ts';
import type { Exchange } from '../../control/control-types.ts';

/** Headers that curl sends by itself, that belong to one connection, or that hold the key. */
const leftOut = new Set([
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

/** The headers that the client chose, without the key. */
export const chosenHeaders = (headers: Headers): [string, string][] =>
  Object.entries(headers).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      !leftOut.has(entry[0]) &&
      !entry[0].startsWith('sec-') &&
      !(entry[0] === 'accept' && entry[1] === '*/*'),
  );

/** A text in single quotes for a POSIX shell. */

/**
 * The request as a curl command. `$KEY` stands for the API key, which the journal does not keep.
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
  for (const [name, value] of chosenHeaders(headers)) parts.push(`-H ${shellQuoted(`${name}: ${value}`)}`);
  if (body !== null) parts.push(`--data-raw ${shellQuoted(body.text)}`);
  parts.push(shellQuoted(origin + url));
  return parts.join(' \\\n  ');
}
