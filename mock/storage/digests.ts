import { createCRC32, createCRC64, createMD5, createSHA1, createSHA256, createSHA512, type IHasher } from 'hash-wasm';
import type { ApiRequest } from '../message.ts';
import type { PutProblem } from './put-rules.ts';

/** The hashes that S3 and Google Cloud Storage check. */
const hashes: Readonly<Record<string, () => Promise<IHasher>>> = {
  md5: createMD5,
  crc32: () => createCRC32(),
  crc32c: () => createCRC32(0x82f63b78),
  crc64nvme: () => createCRC64('9a6c9329ac4bc9b5'),
  sha1: createSHA1,
  sha256: createSHA256,
  sha512: createSHA512,
};

/** What a header says about the bytes, in Base64. The hasher is undefined if no store knows the hash. */
interface Digest {
  readonly header: string;
  readonly value: string;
  readonly hasher: IHasher | undefined;
}

/** The digests in `Content-MD5`, `x-amz-checksum-*` and `x-goog-hash`. */
function digestsIn(headers: ApiRequest['headers']): Promise<Digest[]> {
  const said = Object.entries(headers).flatMap(([header, value = '']): [string, string, string][] => {
    const amz = /^x-amz-checksum-(.+)/.exec(header)?.[1] ?? '';
    if (header === 'content-md5') return [['Content-MD5', 'md5', value]];
    if (Object.hasOwn(hashes, amz)) return [[header, amz, value]];
    if (header !== 'x-goog-hash') return [];
    return value
      .split(',')
      .map((part) => [header, part.split('=', 1)[0]?.trim() ?? '', part.replace(/^[^=]*=/, '').trim()]);
  });
  return Promise.all(
    said.map(async ([header, hash, value]) => {
      const create = Object.hasOwn(hashes, hash) ? hashes[hash] : undefined;
      return { header, value, hasher: await create?.() };
    }),
  );
}

interface Refused {
  readonly problem: PutProblem;
}

/**
 * Holds the bytes of a PUT against the digests in its headers.
 * @returns a problem of the digests themselves, or the bytes and what is wrong with them when they have passed
 */
export async function withDigests(
  headers: ApiRequest['headers'],
  bytes: AsyncIterable<Uint8Array>,
): Promise<Refused | { readonly bytes: AsyncIterable<Uint8Array>; readonly wrong: () => PutProblem | null }> {
  const digests = await digestsIn(headers);
  for (const { header, value, hasher } of digests) {
    if (hasher !== undefined && isBase64(value, hasher.digestSize)) continue;
    if (!header.startsWith('x-amz-')) return badRequest('InvalidDigest', `The ${header} you specified was invalid.`);
    return badRequest('InvalidRequest', `Value for ${header} header is invalid.`);
  }
  if (digests.filter(({ header }) => header.startsWith('x-amz-')).length > 1) {
    const message = 'Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.';
    return badRequest('InvalidRequest', message);
  }
  const passing = async function* () {
    for await (const chunk of bytes) {
      for (const { hasher } of digests) hasher?.update(chunk);
      yield chunk;
    }
  };
  const wrong = () => {
    for (const { header, value, hasher } of digests) {
      const CalculatedDigest = btoa(String.fromCharCode(...(hasher?.digest('binary') ?? [])));
      if (CalculatedDigest === value) continue;
      const message = `The ${header} you specified did not match what we received.`;
      return badRequest('BadDigest', message, { ExpectedDigest: value, CalculatedDigest }).problem;
    }
    return null;
  };
  return { bytes: passing(), wrong };
}

const isBase64 = (text: string, bytes: number) =>
  text.length === Math.ceil(bytes / 3) * 4 &&
  /^[A-Za-z\d+/]*(={0,2})$/.exec(text)?.[1]?.length === (3 - (bytes % 3)) % 3;

const badRequest = (code: string, message: string, details = {}): Refused => ({
  problem: { status: 400, code, message, details },
});
