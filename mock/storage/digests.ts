import type { ApiRequest } from '../message.ts';
import type { PutProblem } from './put-rules.ts';

/** The digests that S3 and Google Cloud Storage check, with their lengths in bytes. */
const lengths = { md5: 16, crc32: 4, crc32c: 4, crc64nvme: 8, sha1: 20, sha256: 32, sha512: 64 };

type Algorithm = keyof typeof lengths;

/** What a header says about the bytes: `Content-MD5`, `x-amz-checksum-sha256` or a part of `x-goog-hash`. */
interface Digest {
  readonly header: string;
  readonly algorithm: string;
  /** In Base64. */
  readonly value: string;
}

/** The digests that the client sent with its bytes, of algorithms that a store checks. */
export function digestsIn(headers: ApiRequest['headers']): Digest[] {
  const digests: Digest[] = [];
  for (const [header, value = ''] of Object.entries(headers)) {
    const [, amz = ''] = /^x-amz-checksum-(.+)$/.exec(header) ?? [];
    if (header === 'content-md5') digests.push({ header: 'Content-MD5', algorithm: 'md5', value });
    else if (Object.hasOwn(lengths, amz)) digests.push({ header, algorithm: amz, value });
    else if (header === 'x-goog-hash') {
      for (const part of value.split(',')) {
        const [, algorithm = '', hash = ''] = /^\s*([^=]*)=(.*?)\s*$/.exec(part) ?? [];
        digests.push({ header, algorithm, value: hash });
      }
    }
  }
  return digests;
}

/** A digest that cannot be right, whatever the bytes are. */
export function malformedDigest(digests: readonly Digest[]): PutProblem | null {
  if (digests.filter(({ header }) => header.startsWith('x-amz-')).length > 1) {
    const message = 'Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.';
    return { status: 400, code: 'InvalidRequest', message };
  }
  for (const { header, algorithm, value } of digests) {
    if (lengthOf(value) === lengths[algorithm as Algorithm]) continue;
    return header.startsWith('x-amz-')
      ? { status: 400, code: 'InvalidRequest', message: `Value for ${header} header is invalid.` }
      : { status: 400, code: 'InvalidDigest', message: `The ${header} you specified was invalid.` };
  }
  return null;
}

/**
 * The bytes as they pass, and what their digests turn out to be.
 * @param digests well-formed ones
 */
export async function withDigests(bytes: AsyncIterable<Uint8Array>, digests: readonly Digest[]) {
  if (digests.length === 0) return { bytes, wrong: () => null };
  const known = await import('./hashers.ts');
  const hashers = await Promise.all(digests.map(({ algorithm }) => known.hashers[algorithm as Algorithm]()));
  const passing = async function* () {
    for await (const chunk of bytes) {
      for (const hasher of hashers) hasher.update(chunk);
      yield chunk;
    }
  };
  const wrong = (): PutProblem | null => {
    for (const [index, { header, value }] of digests.entries()) {
      const calculated = btoa(String.fromCharCode(...(hashers[index]?.digest('binary') ?? [])));
      if (calculated === value) continue;
      const message = `The ${header} you specified did not match what we received.`;
      return {
        status: 400,
        code: 'BadDigest',
        message,
        details: { ExpectedDigest: value, CalculatedDigest: calculated },
      };
    }
    return null;
  };
  return { bytes: passing(), wrong };
}

/** How many bytes a text of canonical Base64 has; -1 if it is none. */
function lengthOf(base64: string): number {
  if (!/^[\w+/]*={0,2}$/.test(base64) || base64.includes('_')) return -1;
  try {
    const binary = atob(base64);
    return btoa(binary) === base64 ? binary.length : -1;
  } catch {
    return -1;
  }
}
