import type { ServerResponse } from 'node:http';
import type { ApiReply } from '../../../mock/message.ts';
import type { Parts } from './variation.ts';

/** Changes the text of a complete JSON body. */
const withText =
  (change: (text: string) => string) =>
  (reply: ApiReply): ApiReply =>
    reply.body !== null && reply.broken === undefined && reply.headers['content-type']?.includes('json')
      ? { ...reply, body: change(reply.body) }
      : reply;

/** Changes every value of a JSON body, the inner ones first. */
export const withValues = (change: (value: unknown) => unknown) =>
  withText((text) => JSON.stringify(JSON.parse(text, (_, value) => change(value))));

/** Sends the body without a length, in pieces of a few bytes. */
function inPieces(response: ServerResponse): void {
  const { writeHead, end } = response;
  response.writeHead = ((status: number, { 'content-length': _, ...headers }: Record<string, string> = {}) =>
    writeHead.call(response, status, headers)) as typeof writeHead;
  response.end = ((body = '') => {
    const bytes = Buffer.from(body);
    const size = Math.max(7, Math.ceil(bytes.length / 20));
    for (let from = 0; from < bytes.length; from += size) response.write(bytes.subarray(from, from + size));
    return (end as () => ServerResponse).call(response);
  }) as typeof end;
}

const reshaped = (reshape: (reply: ApiReply) => ApiReply) => ({ reshape });

/** Other forms of a reply that HTTP and JSON allow. They are applied in this order, and none undoes an earlier one. */
export const spellings: Parts = {
  'date-times with fractions and offset': reshaped(
    withText((text) => text.replace(/("uploadUrlExpiresAt":"[^"]*?)(?:\.\d+)?Z"/, '$1.123456+00:00"')),
  ),
  'blanks and line breaks in JSON': reshaped(withText((text) => `${JSON.stringify(JSON.parse(text), null, 2)}\n`)),
  'escapes in JSON': reshaped(withText((text) => text.replaceAll('/', '\\/').replaceAll('&', '\\u0026'))),
  'another spelling of Content-Type': reshaped(({ headers, ...reply }) => {
    const isJson = headers['content-type']?.includes('json');
    return { ...reply, headers: isJson ? { ...headers, 'content-type': 'Application/JSON;charset="UTF-8"' } : headers };
  }),
  'names of headers in capitals': reshaped(({ headers, ...reply }) => ({
    ...reply,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
  })),
  'bodies in pieces, without a length': { wire: inPieces },
  'a connection that ends after each reply': { wire: (response) => void response.setHeader('connection', 'close') },
};
