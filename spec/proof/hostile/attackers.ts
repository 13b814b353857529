import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Attack, drip, pour, reply } from './hostile-server.ts';

const megabyte = Buffer.alloc(1 << 20, 0x20);
/** A kilobyte of gzip that is a megabyte, as often as one likes: members of gzip follow each other. */
const gzipped = gzipSync(megabyte);
const head = (headers: string, status = 200) => `HTTP/1.1 ${status} Whatever\r\n${headers}\r\n\r\n`;
const json = 'content-type: application/json';
const chunk = `${megabyte.length.toString(16)}\r\n${megabyte.toString('latin1')}\r\n`;
const body =
  (text: string | Buffer, status = 200, headers = json): Attack =>
  (socket) =>
    void socket.write(reply(status, text, headers));
const bytes =
  (text: string): Attack =>
  (socket) =>
    void socket.write(Buffer.from(text, 'latin1'));

/** Hostile replies of a deployment or a proxy before it. `elsewhere` is another host of the attacker. */
export const attacks = (elsewhere: string): Readonly<Record<string, Attack>> => ({
  'gzip bomb': (socket) => {
    socket.write(head(`${json}\r\ncontent-encoding: gzip\r\ncontent-length: ${gzipped.length * 400}`));
    for (let i = 0; i < 400; i++) socket.write(gzipped);
  },
  'brotli bomb': body(brotliCompressSync(Buffer.alloc(32 << 20)), 200, `${json}\r\ncontent-encoding: br`),
  'gzip that is none': body('{}', 200, `${json}\r\ncontent-encoding: gzip`),
  'endless chunks': (socket) => {
    socket.write(head(`${json}\r\ntransfer-encoding: chunked`));
    pour(socket, chunk);
  },
  'endless header': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nx-long: ');
    pour(socket, megabyte);
  },
  'storm of 100 Continue': (socket) => pour(socket, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1000)),
  'protocol switched unasked': bytes(
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nhello',
  ),
  'reset within the head': (socket) => socket.write('HTTP/1.1 200 O', () => socket.resetAndDestroy()),
  'reset within the body': (socket) => {
    socket.write(`${head(`${json}\r\ncontent-length: 100`)}{"labels":`, () => socket.resetAndDestroy());
  },
  'slow head': (socket) => drip(socket, 'H'),
  'slow drip': (socket) => {
    socket.write(head(`${json}\r\ntransfer-encoding: chunked`));
    drip(socket, '1\r\n \r\n');
  },
  'no answer': () => undefined,
  'no HTTP': bytes('SSH-2.0-OpenSSH_9.6\r\n'),
  'two lengths': bytes(`HTTP/1.1 200 OK\r\n${json}\r\ncontent-length: 2\r\ncontent-length: 20\r\n\r\n{}`),
  'a second reply unasked': (socket) =>
    void socket.write(Buffer.concat([reply(200, '{}'), reply(200, '{"forged":true}')])),
  'status 999': body('{}', 999),
  'NUL in a header': bytes('HTTP/1.1 200 OK\r\nx-a: b\0c\r\ncontent-length: 2\r\n\r\n{}'),
  'control characters in headers': bytes(
    `${head(`content-type: text/\u009b2J\u009dtitle\u009c\r\ncontent-length: 2`)}no`,
  ),
  'redirect to itself': (socket, { path }, { url }) => void socket.write(reply(302, '', `location: ${url}${path}`)),
  'redirect elsewhere, 307': (socket, { path }) => void socket.write(reply(307, '{}', `location: ${elsewhere}${path}`)),
  'refresh and links elsewhere': body(
    '{}',
    200,
    `${json}\r\nrefresh: 0;url=${elsewhere}\r\nlink: <${elsewhere}>; rel=preload`,
  ),
  'asks for other credentials': body('{}', 407, `${json}\r\nproxy-authenticate: Basic realm="x"`),
  'UTF-16': body(Buffer.from('\ufeff{"labels":[]}', 'utf16le'), 200, 'content-type: application/json; charset=utf-16'),
  'invalid UTF-8': body(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0xc0, 0x80, 0x7d])),
  'JSON of 10,000 whole levels': body(`${'['.repeat(10_000)}${']'.repeat(10_000)}`),
  'a million empty arrays': body(`[${'[],'.repeat(1_000_000)}[]]`),
  'numbers beyond all bounds': body(`{"labels":[1e400,${'9'.repeat(100_000)},-0,5e-324]}`),
  'keys of prototypes': body('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":null}'),
  'half surrogates and NUL': body('{"labels":["\\ud800","\\u0000","\\uffff"]}'),
  'empty body': body(''),
});
