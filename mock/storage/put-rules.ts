import { hexToBytes } from '@noble/hashes/utils.js';
import type { ApiRequest } from '../message.ts';

/**
 * Which stores the upload target behaves like: `strict` refuses what S3 or Google Cloud Storage refuses, `gcs` what the latter
 * refuses, and `lenient` only wrong signatures and digests. Sources are in spec/DECISIONS.md.
 */
export type Store = 'strict' | 'gcs' | 'lenient';

/** Why a PUT is refused, with the code and message of an object store. */
export interface PutProblem {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, string>>;
}

/**
 * Why the store refuses a correctly signed PUT before its bytes arrive. Null if it does not.
 * @param etag that of the stored bytes, if there are any
 */
export function refusedPut({ headers, body }: ApiRequest, etag: string | undefined, store: Store): PutProblem | null {
  if (store === 'lenient') return null;
  const { 'content-length': length, 'if-match': match, 'if-none-match': noneMatch } = headers;
  if (length === undefined && body === null) {
    return { status: 411, code: 'MissingContentLength', message: 'You must provide the Content-Length HTTP header.' };
  }
  if (store === 'gcs') return unsigned(headers);
  if (headers.authorization !== undefined) {
    const message = 'Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string';
    const rest = 'parameter or the Authorization header should be specified';
    return { status: 400, code: 'InvalidArgument', message: `${message} ${rest}` };
  }
  if (headers['transfer-encoding'] !== undefined) return notImplemented('Transfer-Encoding');
  if (headers['content-range'] !== undefined) return notImplemented('Content-Range');
  if (noneMatch !== undefined && noneMatch !== '*') return notImplemented('If-None-Match');
  if (match !== undefined && etag === undefined) {
    return { status: 404, code: 'NoSuchKey', message: 'The specified key does not exist.' };
  }
  const changed = match !== undefined && match.replaceAll('"', '') !== etag?.replaceAll('"', '');
  if (changed || (noneMatch !== undefined && etag !== undefined)) {
    const message = 'At least one of the pre-conditions you specified did not hold';
    return { status: 412, code: 'PreconditionFailed', message };
  }
  return unsigned(headers);
}

/**
 * Why `Content-MD5` refuses the bytes of a PUT. Null if it does not.
 * @param md5 that of the bytes, in hex; null before they have arrived
 */
export function wrongDigest({ 'content-md5': said }: ApiRequest['headers'], md5: string | null): PutProblem | null {
  if (said === undefined) return null;
  if (!/^[A-Za-z\d+/]{22}==$/.test(said)) {
    return { status: 400, code: 'InvalidDigest', message: 'The Content-MD5 you specified was invalid.' };
  }
  const CalculatedDigest = md5 === null ? said : btoa(String.fromCharCode(...hexToBytes(md5)));
  if (said === CalculatedDigest) return null;
  const message = 'The Content-MD5 you specified did not match what we received.';
  return { status: 400, code: 'BadDigest', message, details: { ExpectedDigest: said, CalculatedDigest } };
}

/**
 * Refuses headers of the store that the URL did not sign: it signs nothing but content type and host.
 * `x-amz-content-sha256: UNSIGNED-PAYLOAD` says what the signature says already.
 */
function unsigned(headers: ApiRequest['headers']): PutProblem | null {
  const names = Object.keys(headers).filter((name) => /^x-(?:amz|goog)-/.test(name));
  const others = names.filter((name) => name !== 'x-amz-content-sha256' || headers[name] !== 'UNSIGNED-PAYLOAD');
  if (others.length === 0) return null;
  const message = 'There were headers present in the request which were not signed';
  return { status: 403, code: 'AccessDenied', message, details: { HeadersNotSigned: others.join(', ') } };
}

function notImplemented(Header: string): PutProblem {
  const message = 'A header you provided implies functionality that is not implemented';
  return { status: 501, code: 'NotImplemented', message, details: { Header } };
}
