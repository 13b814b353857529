import { packageVersion } from '../../../spec/package-facts.ts';
import type { Collection, CollectionRequest } from './collection.ts';

/**
 * An HTTP Archive, version 1.2, with the contract's examples as replies. It leaves out requests that need an earlier reply:
 * sending the bytes of a file and registering it.
 */
export function har({ variables, folders }: Collection, now: number): string {
  const entries = folders
    .flatMap(({ requests }) => requests)
    .filter(({ flood }) => flood === 0)
    .map((request) => filled(request, variables))
    .filter((request) => !JSON.stringify(request).includes('{{'))
    .map((request) => entry(request, new Date(now).toISOString()));
  const creator = { name: 'partnerkit', version: packageVersion() };
  return `${JSON.stringify({ log: { version: '1.2', creator, entries } }, null, 2)}\n`;
}

const filled = (request: CollectionRequest, variables: Collection['variables']): CollectionRequest =>
  JSON.parse(JSON.stringify(request).replaceAll(/\{\{(\w+)\}\}/g, (text, name: string) => variables[name] ?? text));

function entry({ name, method, url, headers, body, status, example }: CollectionRequest, startedDateTime: string) {
  const type = headers['content-type'] ?? '';
  const text = example === undefined ? '' : JSON.stringify(example);
  const message = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };
  return {
    comment: name,
    startedDateTime,
    time: 0,
    request: {
      ...message,
      method,
      url,
      headers: Object.entries(headers).map(([header, value]) => ({ name: header, value })),
      queryString: [],
      bodySize: Buffer.byteLength(body ?? ''),
      ...(body !== null && { postData: { mimeType: type, text: body } }),
    },
    response: {
      ...message,
      status,
      statusText: '',
      headers: [{ name: 'content-type', value: 'application/json' }],
      content: { size: Buffer.byteLength(text), mimeType: 'application/json', text },
      redirectURL: '',
      bodySize: Buffer.byteLength(text),
    },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
  };
}
