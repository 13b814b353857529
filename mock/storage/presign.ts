import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { equalInConstantTime } from '../equal-in-constant-time.ts';
import type { PutProblem } from './put-rules.ts';

/** The access key that signs upload URLs, like that of an object store. */
export interface StorageCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** An upload URL is valid for 5 minutes (see the specification's section on limits). */
const uploadUrlLifetimeSeconds = 300;

interface PresignedPut {
  /** Scheme and authority, for example `http://127.0.0.1:4010`. */
  readonly origin: string;
  /** Starts with a slash, not encoded. */
  readonly path: string;
  readonly contentType: string;
  /** Milliseconds since the epoch. The signature has whole seconds. */
  readonly now: number;
}

const region = 'local';
const algorithm = 'AWS4-HMAC-SHA256';
const signedHeaders = 'content-type;host';

/** A presigned URL for one PUT (AWS Signature Version 4, query form), and when it expires, in ms since the epoch. */
export function presignPut(put: PresignedPut, credentials: StorageCredentials): { url: string; expiresAt: number } {
  const issuedAt = Math.floor(put.now / 1000) * 1000;
  const date = amzDate(issuedAt);
  const query: [string, string][] = [
    ['X-Amz-Algorithm', algorithm],
    ['X-Amz-Credential', `${credentials.accessKeyId}/${scopeOf(date)}`],
    ['X-Amz-Date', date],
    ['X-Amz-Expires', String(uploadUrlLifetimeSeconds)],
    ['X-Amz-SignedHeaders', signedHeaders],
  ];
  const host = new URL(put.origin).host;
  const signature = sign({ path: put.path, query, contentType: put.contentType, host, date }, credentials);
  const search = [...query, ['X-Amz-Signature', signature] as const]
    .map(([name, value]) => `${name}=${encode(value)}`)
    .join('&');
  return {
    url: `${put.origin}${encodePath(put.path)}?${search}`,
    expiresAt: issuedAt + uploadUrlLifetimeSeconds * 1000,
  };
}

interface SignedRequest {
  /** Decoded, starts with a slash. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly host: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Null if the signature is valid, has not expired, and matches method, path, host and content type. */
export function verifyPut(request: SignedRequest, credentials: StorageCredentials): PutProblem | null {
  const get = (name: string) => request.query.get(name);
  const date = get('X-Amz-Date');
  const signature = get('X-Amz-Signature');
  if (date === null || signature === null || get('X-Amz-Credential') === null) {
    return { status: 403, code: 'AccessDenied', message: 'Access Denied' };
  }
  if (request.query.getAll('X-Amz-Signature').length > 1) {
    // Signatures themselves are not signed, so there must be only one.
    return { status: 400, code: 'AuthorizationQueryParametersError', message: 'X-Amz-Signature must be given once' };
  }
  const issuedAt = parseAmzDate(date);
  const lifetime = Number(get('X-Amz-Expires'));
  if (get('X-Amz-Algorithm') !== algorithm || issuedAt === null || !Number.isInteger(lifetime) || lifetime < 1) {
    return {
      status: 400,
      code: 'AuthorizationQueryParametersError',
      message: 'X-Amz-Algorithm, X-Amz-Date and X-Amz-Expires must be those of the upload URL',
    };
  }
  // The request is signed again as it arrived. A change of query, path, host or Content-Type gives another signature.
  const query = [...request.query].filter(([name]) => name !== 'X-Amz-Signature');
  const signed = { path: request.path, query, contentType: request.contentType, host: request.host, date };
  if (!equalInConstantTime(signature, sign(signed, credentials))) {
    return {
      status: 403,
      code: 'SignatureDoesNotMatch',
      message:
        'The request signature we calculated does not match the signature you provided. Send the URL unchanged, with the Content-Type for which it was issued.',
    };
  }
  const expiresAt = issuedAt + lifetime * 1000;
  if (request.now >= expiresAt) {
    return {
      status: 403,
      code: 'AccessDenied',
      message: 'Request has expired',
      details: {
        'X-Amz-Expires': String(lifetime),
        Expires: new Date(expiresAt).toISOString(),
        ServerTime: new Date(request.now).toISOString(),
      },
    };
  }
  return null;
}

interface Signable {
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly contentType: string;
  readonly host: string;
  readonly date: string;
}

function sign(request: Signable, credentials: StorageCredentials): string {
  const canonicalQuery = request.query
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : x > y ? 1 : 0))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  const canonicalRequest = [
    'PUT',
    encodePath(request.path),
    canonicalQuery,
    `content-type:${request.contentType.trim().replace(/ +/g, ' ')}`,
    `host:${request.host}`,
    '',
    signedHeaders,
    'UNSIGNED-PAYLOAD',
  ].join('\n');
  const scope = scopeOf(request.date);
  const text = [algorithm, request.date, scope, bytesToHex(sha256(utf8ToBytes(canonicalRequest)))].join('\n');
  return bytesToHex(mac(signingKeyOf(scope, credentials), text));
}

/** The key of a scope takes four of six hashes, and a scope lasts a day. */
function signingKeyOf(scope: string, credentials: StorageCredentials): Uint8Array {
  const last = signingKeys.get(credentials);
  if (last?.scope === scope) return last.key;
  const secret = utf8ToBytes(`AWS4${credentials.secretAccessKey}`);
  const key = scope.split('/').reduce<Uint8Array>((from, part) => mac(from, part), secret);
  signingKeys.set(credentials, { scope, key });
  return key;
}

const signingKeys = new WeakMap<StorageCredentials, { readonly scope: string; readonly key: Uint8Array }>();

const mac = (key: Uint8Array, text: string) => hmac(sha256, key, utf8ToBytes(text));

const scopeOf = (date: string) => `${date.slice(0, 8)}/${region}/s3/aws4_request`;

const amzDate = (milliseconds: number) => new Date(milliseconds).toISOString().replace(/[-:]|\.\d+/g, '');

function parseAmzDate(date: string): number | null {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second] = match.map(Number);
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
}

/** RFC 3986: everything but letters, digits and `-_.~` is percent-encoded. */
const encode = (value: string) =>
  encodeURIComponent(value).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

const encodePath = (path: string) => path.split('/').map(encode).join('/');
