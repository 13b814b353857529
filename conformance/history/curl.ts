import { shellQuoted } from '../../spec/text/shell-quoted.ts';
import type { Exchange } from './exchange.ts';

/** Headers that curl sets itself, and headers that do not matter to the server. */
const connectionHeaders = new Set([
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

/** The request as a shell command, with `$KEY_NAME` in place of secrets. */
export function curlOf({ method, url, requestHeaders, requestBody, requestBytes }: Exchange): string {
  const parts = ['curl -i', ...(method === 'GET' ? [] : [`-X ${method}`])];
  // Headers stand in double quotes, so that the shell expands $KEY_NAME.
  for (const [name, value] of Object.entries(requestHeaders).filter(matters))
    parts.push(`-H "${name}: ${value.replace(/["\\`]/g, '\\$&')}"`);
  if (requestBody !== null) {
    // curl adds a Content-Type of its own where there is none. An empty one prevents that.
    if (requestHeaders['content-type'] === undefined) parts.push('-H "content-type:"');
    const whole = new TextEncoder().encode(requestBody).length === requestBytes;
    parts.push(whole ? `--data-binary ${shellQuoted(requestBody)}` : `--data-binary @body-of-${requestBytes}-bytes`);
  }
  // The recorded request of a client has no host, because the mock that received it has ended.
  return [
    ...parts,
    url.startsWith('/') ? `"$PARTNERKIT_URL${url.replace(/["\\`$]/g, '\\$&')}"` : shellQuoted(url),
  ].join(' ');
}
