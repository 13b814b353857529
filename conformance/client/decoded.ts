import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { tooLarge } from '../history/exchange.ts';
import { TransportError } from './http.ts';
import { maxReply } from './reply-limits.ts';

/** What `decoded` reads. */
export const readEncodings = 'gzip, deflate, br, zstd';

const limit = { maxOutputLength: maxReply };
const decoders = new Map<string, (bytes: Buffer) => Buffer>([
  ['gzip', (bytes) => gunzipSync(bytes, limit)],
  ['x-gzip', (bytes) => gunzipSync(bytes, limit)],
  // Some servers leave out the header of zlib, whose first byte says "deflate".
  ['deflate', (bytes) => ((bytes[0] ?? 0) % 16 === 8 ? inflateSync : inflateRawSync)(bytes, limit)],
  ['br', (bytes) => brotliDecompressSync(bytes, limit)],
  ['zstd', (bytes) => zstdDecompressSync(bytes, limit)],
]);

/**
 * The decompressed body. HTTP allows several encodings, of which the last was applied last (RFC 9110, 8.4). An empty body is empty, whatever it is
 * called: replies without a body may have the header.
 * @throws TransportError that names an encoding which nobody asked for, or which the bytes do not have
 */
export function decoded(bytes: Buffer, named: string): Buffer {
  const encodings = named
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((one) => one !== '' && one !== 'identity');
  try {
    return encodings.reduceRight(
      (body, encoding) => (body.length > 0 ? (decoders.get(encoding) ?? unknown)(body) : body),
      bytes,
    );
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE')
      throw new TransportError('unusable', `${tooLarge}the reply has more than ${maxReply} bytes`);
    throw new TransportError('other', `a body with Content-Encoding: ${named} cannot be read: ${message}`);
  }
}

function unknown(): never {
  throw new Error(`${readEncodings} were offered`);
}
