import type { ServerResponse } from 'node:http';
import type { ApiReply } from '../../../mock/message.ts';
import { changeAt, withJson } from './json-replies.ts';

/** A reply said in another way that HTTP and JSON allow, or sent so. */
interface Spelling {
  readonly reshape?: (reply: ApiReply) => ApiReply;
  readonly wire?: (response: ServerResponse) => void;
}

const isJson = ({ headers }: ApiReply) => headers['content-type']?.includes('json') ?? false;

const withBody = (reply: ApiReply, body: string): ApiReply => {
  const { recurring: _, ...once } = reply;
  return { ...once, body };
};

/** Without a length, in pieces of a few bytes. */
function inPieces(response: ServerResponse): void {
  const { writeHead, end } = response;
  response.writeHead = ((status: number, headers: string[]) => {
    const at = headers.indexOf('content-length');
    return writeHead.call(response, status, at < 0 ? headers : headers.toSpliced(at, 2));
  }) as typeof writeHead;
  response.end = ((body: string, encoding: BufferEncoding) => {
    const bytes = Buffer.from(body, encoding);
    const size = Math.max(7, Math.ceil(bytes.length / 20));
    for (let from = 0; from < bytes.length; from += size) response.write(bytes.subarray(from, from + size));
    return (end as () => ServerResponse).call(response);
  }) as typeof end;
}

/** Ways to say the same, by name; each leaves what those before it did, in this order. */
export const spellings: Readonly<Record<string, Spelling>> = {
  'date-times with fractions and offset': {
    reshape: (reply) =>
      withJson(reply, (body) =>
        changeAt(body, 'uploadUrlExpiresAt', (at) => String(at).replace(/(?:\.\d+)?Z$/, '.123456+00:00')),
      ),
  },
  'blanks and line breaks in JSON': {
    reshape: (reply) =>
      reply.body !== null && isJson(reply) && reply.broken === undefined
        ? withBody(reply, `${JSON.stringify(JSON.parse(reply.body), null, 2)}\n`)
        : reply,
  },
  'escapes in JSON': {
    reshape: (reply) =>
      reply.body !== null && isJson(reply) && reply.broken === undefined
        ? withBody(reply, reply.body.replaceAll('/', '\\/').replaceAll('&', '\\u0026'))
        : reply,
  },
  'another spelling of Content-Type': {
    reshape: (reply) => {
      if (!isJson(reply)) return reply;
      const { recurring: _, ...once } = reply;
      return { ...once, headers: { ...reply.headers, 'content-type': 'Application/JSON;charset="UTF-8"' } };
    },
  },
  'names of headers in capitals': {
    reshape: (reply) => {
      const { recurring: _, ...once } = reply;
      const headers = Object.entries(reply.headers).map(([name, value]) => [name.toUpperCase(), value]);
      return { ...once, headers: Object.fromEntries(headers) };
    },
  },
  'bodies in pieces, without a length': { wire: inPieces },
  'a connection that ends after each reply': { wire: (response) => void response.setHeader('connection', 'close') },
};
