import type { Exchange } from './exchange.ts';

/** The request as a shell command, with `$KEY_NAME` in place of secrets. */
export function curlOf({ method, url, requestHeaders, requestBody, requestBytes }: Exchange): string {
  const parts = ['curl -i', ...(method === 'GET' ? [] : [`-X ${method}`])];
  // Double quotes around headers, so that the shell puts the key in the place of its name.
  for (const [name, value] of Object.entries(requestHeaders))
    parts.push(`-H "${name}: ${value.replace(/["\\`]/g, '\\$&')}"`);
  if (requestBody !== null) {
    const whole = new TextEncoder().encode(requestBody).length === requestBytes;
    parts.push(whole ? `--data-binary ${quote(requestBody)}` : `--data-binary @body-of-${requestBytes}-bytes`);
  }
  return [...parts, quote(url)].join(' ');
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
