import { commandLine, shellExpanded } from '../../spec/text/shell-quoted.ts';
import type { Exchange } from './exchange.ts';

/** Headers that a client sets itself, and headers that do not matter to the server. */
export const connectionHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'accept-language',
  'user-agent',
  'expect',
  'sec-fetch-mode',
]);

const matters = ([name, value]: readonly [string, string]) =>
  !connectionHeaders.has(name) && !(name === 'accept' && value === '*/*');

/**
 * The request as a shell command.
 * @param variables names the variable for each text that stands for its value; by default `$KEY_NAME` stands for a secret
 */
export function curlOf(
  { method, url, requestHeaders, requestBody, requestBytes }: Exchange,
  variables?: ReadonlyMap<string, string>,
): string {
  const word = (text: string) =>
    shellExpanded(text, new Map([...(variables ?? placeholdersIn(text)), ['$PARTNERKIT_URL', 'PARTNERKIT_URL']]));
  const parts = ['curl -i', ...(method === 'GET' ? [] : [`-X ${commandLine([method])}`])];
  // With a colon curl would leave out a header without a value.
  for (const [name, value] of Object.entries(requestHeaders).filter(matters))
    parts.push(`-H ${word(value === '' ? `${name};` : `${name}: ${value}`)}`);
  // curl adds a Content-Type of its own where there is none. An empty one prevents that.
  if (requestBytes > 0 && requestHeaders['content-type'] === undefined) parts.push("-H 'content-type:'");
  const complete = requestBody !== null && new TextEncoder().encode(requestBody).length === requestBytes;
  if (complete) parts.push(`--data-binary ${word(requestBody)}`);
  else if (requestBytes > 0) {
    // As many bytes as were sent; only some of them were recorded, or none.
    parts.unshift(`head -c ${requestBytes} /dev/zero |`);
    parts.push('--data-binary @-');
  }
  // The recorded request of a client has no host, because the mock that received it has ended.
  const whole = url.startsWith('/') ? `$PARTNERKIT_URL${url}` : url;
  return [...parts, word(whole)].join(' ');
}

/** Placeholders of secrets, each with its variable. */
export const placeholdersIn = (text: string) =>
  new Map(Array.from(text.matchAll(/\$([A-Z][A-Z0-9_]*)/g), ([mark, name = '']) => [mark, name]));
