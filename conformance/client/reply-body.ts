import { createHash } from 'node:crypto';
import { brotliDecompressSync, unzipSync } from 'node:zlib';
import { jsonExtent } from '../../spec/json-extent.ts';
import { tooLarge } from '../history/exchange.ts';
import { TransportError } from './http.ts';

/** Bytes of one reply. Replies of the API are far shorter; an endless reply must not exhaust the memory. */
export const maxReply = 4 * 1024 * 1024;

export const replyTooLarge = () =>
  new TransportError('unusable', `${tooLarge}the reply has more than ${maxReply} bytes`);

/** What `decoded` reads. */
export const readEncodings = 'gzip, br';

/**
 * The decompressed body. Replies without a body may have the header.
 * @throws TransportError that names an encoding which nobody asked for, or which the bytes do not have
 */
export function decoded(bytes: Buffer, encoding: string): Buffer {
  if (bytes.length === 0 || /^(identity)?$/i.test(encoding)) return bytes;
  try {
    return (/^br$/i.test(encoding) ? brotliDecompressSync : unzipSync)(bytes, { maxOutputLength: maxReply });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw replyTooLarge();
    const problem = `a body with Content-Encoding: ${encoding} cannot be read, where ${readEncodings} were offered`;
    throw new TransportError('other', `${problem}: ${message}`);
  }
}

/** Smaller replies do not count towards `maxKept`, in bytes. */
const smallReply = 64 * 1024;

/** Bytes of all larger replies of a run together. Replies are kept to the end of the run; equal replies are kept once. */
const maxKept = 256 * 1024 * 1024;

/** Approximate bytes of a parsed value, which may take more memory than its text: `[]` becomes an array. */
const valueSize = 64;

/** No reply of the API is nested this deep; deeper JSON overflows the stack. */
const maxDepth = 256;

/** No reply of the API has this many values. */
const maxValues = 200_000;

/** Protects the memory of one run against huge replies. @returns the limit that a reply exceeds, in words; null when the reply can be used */
export function createReplyLimits(): (body: Uint8Array) => string | null {
  const digests = new Set<string>();
  let kept = 0;
  return (body) => {
    const { depth, values } = jsonExtent(body, maxDepth);
    if (depth > maxDepth) return `the reply nests brackets more than ${maxDepth} deep`;
    if (values > maxValues) return `the reply has more than ${maxValues} values`;
    if (body.length <= smallReply) return null;
    const digest = createHash('sha256').update(body).digest('base64');
    if (digests.has(digest)) return null;
    digests.add(digest);
    kept += body.length + values * valueSize;
    return kept > maxKept ? `the long replies of this run are together larger than ${maxKept / 2 ** 20} MB` : null;
  };
}
