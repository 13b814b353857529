import type { Exchange } from './exchange.ts';

/** What curl sets itself, or what says nothing about the request. */
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
    // Without a type curl would add one of its own, and with it another request.
    if (requestHeaders['content-type'] === undefined) parts.push('-H "content-type:"');
    const whole = new TextEncoder().encode(requestBody).length === requestBytes;
    parts.push(whole ? `--data-binary ${quote(requestBody)}` : `--data-binary @body-of-${requestBytes}-bytes`);
  }
  // A request that was received has no address of its own: the mock that got it is gone.
  return [...parts, url.startsWith('/') ? `"$PARTNERKIT_URL${url.replace(/["\\`$]/g, '\\$&')}"` : quote(url)].join(' ');
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
