import type { IncomingMessage } from 'node:http';
import { type Duplex, pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';
import { TransportError } from './http.ts';

/** What `decoded` reads. */
export const readEncodings = 'gzip, deflate, br, zstd';

/** By the name of the encoding, for a body with this first byte. */
const decoders = new Map<string, (first: number) => Duplex>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  // Some servers leave out the header of zlib, whose first byte says "deflate".
  ['deflate', (first) => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw())],
  ['br', () => createBrotliDecompress()],
  ['zstd', () => createZstdDecompress()],
]);

/** Servers compress once, and a proxy in front of them once more. Each further layer may multiply the size. */
const maxLayers = 4;

/**
 * The decompressed body. HTTP allows several encodings, of which the last was applied last (RFC 9110, 8.4).
 * @throws TransportError for an encoding that nobody asked for, and with the name of one that the bytes do not have
 */
export async function* decoded(incoming: IncomingMessage): AsyncIterable<Buffer> {
  const named = incoming.headers['content-encoding']?.toLowerCase() ?? '';
  const encodings = named
    .split(',')
    .map((encoding) => encoding.trim())
    .filter((one) => one !== '' && one !== 'identity');
  const wrong = (why: string) => new TransportError('other', `a body with Content-Encoding: ${named} ${why}`);
  if (encodings.some((encoding) => !decoders.has(encoding)) || encodings.length > maxLayers)
    throw wrong(`cannot be read; ${readEncodings} were offered`);
  let body: AsyncIterable<Buffer> = incoming;
  for (const encoding of encodings.reverse()) body = unpacked(body, encoding);
  try {
    yield* body;
  } catch (error) {
    // What befalls the connection is no fault of the encoding.
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw /^(Z_|ERR__|ZSTD_)/.test(code) ? wrong(`cannot be decompressed: ${message}`) : error;
  }
}

/** An empty body is empty, whatever it is called: replies without a body may have the header. */
async function* unpacked(packed: AsyncIterable<Buffer>, encoding: string): AsyncIterable<Buffer> {
  const pieces = packed[Symbol.asyncIterator]();
  const first = await pieces.next();
  if (first.done === true) return;
  const all = async function* () {
    yield first.value;
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
  };
  const decoder = decoders.get(encoding)?.(first.value[0] ?? 0);
  // The reader of the stream gets every error, but pipeline requires a callback.
  if (decoder !== undefined) yield* pipeline(all, decoder, () => undefined) as AsyncIterable<Buffer>;
}
