import type { ApiRequest } from '../message.ts';
import type { StoredBytes } from '../store/tenant.ts';
import { digestsIn, malformedDigest } from './digests.ts';

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

/** S3 takes at most 5 GiB in one PUT. */
const largestPut = 5 * 1024 ** 3;

/** Why the store refuses a correctly signed PUT before its bytes arrive. Null if it does not. */
export function refusedPut({ headers, body }: ApiRequest, stored: StoredBytes | null, store: Store): PutProblem | null {
  const digests = digestsIn(headers);
  const malformed = malformedDigest(digests);
  if (malformed !== null || store === 'lenient') return malformed;
  const length = headers['content-length'];
  const chunked = headers['transfer-encoding'] !== undefined;
  if (length === undefined && body === null) {
    return { status: 411, code: 'MissingContentLength', message: 'You must provide the Content-Length HTTP header.' };
  }
  if (store === 'strict') {
    if (headers.authorization !== undefined) {
      const message =
        'Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string parameter or the Authorization header should be specified';
      return { status: 400, code: 'InvalidArgument', message, details: { ArgumentName: 'Authorization' } };
    }
    if (chunked) return notImplemented('Transfer-Encoding');
    if (headers['content-range'] !== undefined) return notImplemented('Content-Range');
    if (Number(length) > largestPut) {
      const message = 'Your proposed upload exceeds the maximum allowed size';
      const details = { ProposedSize: length ?? '', MaxSizeAllowed: String(largestPut) };
      return { status: 400, code: 'EntityTooLarge', message, details };
    }
    const condition = failedCondition(headers, stored);
    if (condition !== null) return condition;
  }
  const others = unsignedHeaders(headers).filter((name) => !digests.some(({ header }) => header === name));
  return others.length > 0 ? unsigned(headers) : null;
}

/**
 * Refuses headers of the store that the URL did not sign. Nothing but content type and host is signed, so this holds for a right
 * digest, too. A wrong one has been refused before, as in a store that takes the header.
 */
export function unsigned(headers: ApiRequest['headers']): PutProblem | null {
  const names = unsignedHeaders(headers).join(', ');
  if (names === '') return null;
  const message = 'There were headers present in the request which were not signed';
  return { status: 403, code: 'AccessDenied', message, details: { HeadersNotSigned: names } };
}

/** `x-amz-content-sha256: UNSIGNED-PAYLOAD` says what the signature says already. */
const unsignedHeaders = (headers: ApiRequest['headers']) =>
  Object.keys(headers).filter(
    (name) =>
      /^x-(?:amz|goog)-/.test(name) && !(name === 'x-amz-content-sha256' && headers[name] === 'UNSIGNED-PAYLOAD'),
  );

function notImplemented(header: string): PutProblem {
  const message = 'A header you provided implies functionality that is not implemented';
  return { status: 501, code: 'NotImplemented', message, details: { Header: header } };
}

/** S3 knows `If-Match` with an ETag, and `If-None-Match: *`. */
function failedCondition(headers: ApiRequest['headers'], stored: StoredBytes | null): PutProblem | null {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  if (noneMatch !== undefined && noneMatch !== '*') return notImplemented('If-None-Match');
  if (match !== undefined && stored === null) {
    return { status: 404, code: 'NoSuchKey', message: 'The specified key does not exist.' };
  }
  const plain = (etag?: string) => etag?.replaceAll('"', '');
  const failed =
    noneMatch !== undefined && stored !== null
      ? 'If-None-Match'
      : match !== undefined && plain(match) !== plain(stored?.etag)
        ? 'If-Match'
        : null;
  if (failed === null) return null;
  const message = 'At least one of the pre-conditions you specified did not hold';
  return { status: 412, code: 'PreconditionFailed', message, details: { Condition: failed } };
}
