import type { Exchange } from './exchange.ts';

/** Headers that curl sets itself, and headers that say nothing about the request. */
const ofTheConnection = new Set([
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
  !ofTheConnection.has(name) && !(name === 'accept' && value === '*/*');

/** The request as a shell command, with `$KEY_NAME` in place of secrets. */
export function curlOf({ method, url, requestHeaders, requestBody, requestBytes }: Exchange): string {
  const parts = ['curl -i', ...(method === 'GET' ? [] : [`-X ${method}`])];
  // Double quotes around headers, so that the shell puts the key in the place of its name.
  for (const [name, value] of Object.entries(requestHeaders).filter(matters))
    parts.push(`-H "${name}: ${value.replace(/["\\`]/g, '\\$&')}"`);
  if (requestBody !== null) {
    // Without a Content-Type curl would add its own, and so send another request.
    if (requestHeaders['content-type'] === undefined) parts.push('-H "content-type:"');
    const whole = new TextEncoder().encode(requestBody).length === requestBytes;
    parts.push(whole ? `--data-binary ${quote(requestBody)}` : `--data-binary @body-of-${requestBytes}-bytes`);
  }
  // A recorded request of a client has no host: the mock that received it has ended.
  return [...parts, url.startsWith('/') ? `"$PARTNERKIT_URL${url.replace(/["\\`$]/g, '\\$&')}"` : quote(url)].join(' ');
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
