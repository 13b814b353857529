import type { ServerResponse } from 'node:http';
import type { ApiReply } from '../../../mock/message.ts';
import { changeAt, withJson } from './json-replies.ts';

/** Another form of a reply that HTTP and JSON allow. */
interface Spelling {
  readonly reshape?: (reply: ApiReply) => ApiReply;
  readonly wire?: (response: ServerResponse) => void;
}

const isJson = ({ headers }: ApiReply) => headers['content-type']?.includes('json') ?? false;

/** Changes the text of a complete JSON body. */
const rewritten = (rewrite: (text: string) => string) => (reply: ApiReply) =>
  reply.body !== null && isJson(reply) && reply.broken === undefined ? { ...reply, body: rewrite(reply.body) } : reply;

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

/** Forms by name. They are applied in this order, and none undoes an earlier one. */
export const spellings: Readonly<Record<string, Spelling>> = {
  'date-times with fractions and offset': {
    reshape: (reply) =>
      withJson(reply, (body) =>
        changeAt(body, 'uploadUrlExpiresAt', (at) => String(at).replace(/(?:\.\d+)?Z$/, '.123456+00:00')),
      ),
  },
  'blanks and line breaks in JSON': {
    reshape: rewritten((text) => `${JSON.stringify(JSON.parse(text), null, 2)}\n`),
  },
  'escapes in JSON': {
    reshape: rewritten((text) => text.replaceAll('/', '\\/').replaceAll('&', '\\u0026')),
  },
  'another spelling of Content-Type': {
    reshape: (reply) =>
      isJson(reply)
        ? { ...reply, headers: { ...reply.headers, 'content-type': 'Application/JSON;charset="UTF-8"' } }
        : reply,
  },
  'names of headers in capitals': {
    reshape: (reply) => {
      const headers = Object.entries(reply.headers).map(([name, value]) => [name.toUpperCase(), value]);
      return { ...reply, headers: Object.fromEntries(headers) };
    },
  },
  'bodies in pieces, without a length': { wire: inPieces },
  'a connection that ends after each reply': { wire: (response) => void response.setHeader('connection', 'close') },
};
