import type { ServerResponse } from 'node:http';
import { isObject } from '../../../conformance/history/exchange.ts';
import type { ApiReply } from '../../../mock/message.ts';

/** Changes the text of a complete JSON body. */
export const withText =
  (change: (text: string) => string) =>
  (reply: ApiReply): ApiReply =>
    reply.body !== null && reply.broken === undefined && reply.headers['content-type']?.includes('json')
      ? { ...reply, body: change(reply.body) }
      : reply;

/** Changes every value of a JSON body, the inner ones first. */
export const withValues = (change: (value: unknown) => unknown) =>
  withText((text) => JSON.stringify(JSON.parse(text, (_, value) => change(value))));

/**
 * Visits all properties, the inner ones first, and gives each the returned value. Undefined removes it.
 * @param visit gets the path of a property: names, separated by dots. Lists add nothing to it
 */
export function mapProperties(value: unknown, visit: (path: string, value: unknown) => unknown, before = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => mapProperties(item, visit, before));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const changed = visit(before + name, mapProperties(inner, visit, `${before}${name}.`));
      return changed === undefined ? [] : [[name, changed]];
    }),
  );
}

/** Sends the body without a length, in pieces of a few bytes. */
function inPieces(response: ServerResponse): void {
  const { writeHead, end } = response;
  response.writeHead = ((status: number, { 'content-length': _, ...headers }: Record<string, string>) =>
    writeHead.call(response, status, headers)) as typeof writeHead;
  response.end = ((body: string) => {
    const bytes = Buffer.from(body);
    const size = Math.max(7, Math.ceil(bytes.length / 20));
    for (let from = 0; from < bytes.length; from += size) response.write(bytes.subarray(from, from + size));
    return (end as () => ServerResponse).call(response);
  }) as typeof end;
}

/** Other forms of a reply that HTTP and JSON allow. They are applied in this order, and none undoes an earlier one. */
export const spellings: Readonly<Record<string, (reply: ApiReply) => ApiReply>> = {
  'date-times with fractions and offset': withText((text) =>
    text.replace(/("uploadUrlExpiresAt":"[^"]*?)(?:\.\d+)?Z"/, '$1.123456+00:00"'),
  ),
  'blanks and line breaks in JSON': withText((text) => `${JSON.stringify(JSON.parse(text), null, 2)}\n`),
  'escapes in JSON': withText((text) => text.replaceAll('/', '\\/').replaceAll('&', '\\u0026')),
  'another spelling of Content-Type': ({ headers, ...reply }) => {
    const isJson = headers['content-type']?.includes('json');
    return { ...reply, headers: isJson ? { ...headers, 'content-type': 'Application/JSON;charset="UTF-8"' } : headers };
  },
  'names of headers in capitals': ({ headers, ...reply }) => ({
    ...reply,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
  }),
};

/** The same, of how a reply is sent. */
export const wires: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'bodies in pieces, without a length': inPieces,
  'a connection that ends after each reply': (response) => void response.setHeader('connection', 'close'),
};
