import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { equalInConstantTime } from '../keys/secret.ts';
import type { PutProblem } from './put-rules.ts';

/** Stands in upload URLs, like that of an object store. */
const accessKeyId = 'PARTNERKITMOCK';

/** An upload URL is valid for 5 minutes (see the specification's section on limits). */
const lifetimeSeconds = 300;

interface Put {
  /** Without a query. */
  readonly url: string;
  readonly contentType: string;
  /** Milliseconds since the epoch. The signature has whole seconds. */
  readonly now: number;
}

/** A presigned URL for one PUT (AWS Signature Version 4, query form), and when it expires, in ms since the epoch. */
export function presignPut(put: Put, secret: string): { url: string; expiresAt: number } {
  const issuedAt = Math.floor(put.now / 1000) * 1000;
  const date = new Date(issuedAt).toISOString().replace(/[-:]|\.\d+/g, '');
  const { href } = sign(put, date, lifetimeSeconds, secret);
  return { url: href, expiresAt: issuedAt + lifetimeSeconds * 1000 };
}

/**
 * Null if the signature is valid, has not expired, and matches method, path, host and content type.
 * @param issuedFor the content type of the upload, if there is one
 */
export function verifyPut(put: Put, query: URLSearchParams, secret: string, issuedFor = ''): PutProblem | null {
  const missing = ['X-Amz-Date', 'X-Amz-Signature', 'X-Amz-Credential'].filter((name) => !query.has(name));
  if (missing.length > 0) {
    return { status: 403, code: 'AccessDenied', message: 'Access Denied', details: { Missing: missing.join(', ') } };
  }
  const [date, signature] = [query.get('X-Amz-Date') ?? '', query.get('X-Amz-Signature') ?? ''];
  const issuedAt = instantOf(date);
  const lifetime = Number(query.get('X-Amz-Expires'));
  // The request is signed again as it arrived. A change of path, host, content type or parameters gives another signature.
  const { searchParams } = sign(put, date, lifetime, secret);
  const others = [...new Set([...searchParams.keys(), ...query.keys()])].filter((name) => name !== 'X-Amz-Signature');
  const changed = others.filter((name) => query.getAll(name).join() !== searchParams.get(name));
  const isSame = query.size === searchParams.size && changed.length === 0;
  // A URL that its parser changes, with dots in its path, was never issued.
  const isPlain = new URL(put.url).href === put.url;
  if (!equalInConstantTime(signature, searchParams.get('X-Amz-Signature') ?? '') || !isSame || !isPlain) {
    const message = 'The request signature we calculated does not match the signature you provided.';
    const remedy = 'Send the URL unchanged, with the Content-Type for which it was issued.';
    const issued = sign({ ...put, contentType: issuedFor }, date, lifetime, secret).searchParams;
    const isOtherType = isSame && signature === issued.get('X-Amz-Signature');
    const details: PutProblem['details'] = isOtherType
      ? { ContentType: put.contentType, SignedContentType: issuedFor }
      : { ...(changed.length > 0 && { Changed: changed.join(', ') }) };
    return { status: 403, code: 'SignatureDoesNotMatch', message: `${message} ${remedy}`, details };
  }
  const expiresAt = issuedAt + lifetime * 1000;
  if (put.now < expiresAt) return null;
  const details = {
    'X-Amz-Expires': String(lifetime),
    Expires: new Date(expiresAt).toISOString(),
    ServerTime: new Date(put.now).toISOString(),
  };
  return { status: 403, code: 'AccessDenied', message: 'Request has expired', details };
}

/** Without WebCrypto, which takes real time while a clock stands still. */
function sign({ url, contentType }: Put, date: string, lifetime: number, secret: string): URL {
  const signed = new URL(url);
  const scope = [date.slice(0, 8), 'local', 's3', 'aws4_request'];
  const query: Readonly<Record<string, string>> = {
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': [accessKeyId, ...scope].join('/'),
    'X-Amz-Date': date,
    'X-Amz-Expires': String(lifetime),
    'X-Amz-SignedHeaders': 'content-type;host',
  };
  const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const headers = [`content-type:${contentType.trim().replace(/ +/g, ' ')}`, `host:${signed.host}`, ''];
  const request = ['PUT', signed.pathname, search.join('&'), ...headers, 'content-type;host', 'UNSIGNED-PAYLOAD'];
  const hash = bytesToHex(sha256(utf8ToBytes(request.join('\n'))));
  const mac = (key: Uint8Array, text: string) => hmac(sha256, key, utf8ToBytes(text));
  const key = scope.reduce(mac, utf8ToBytes(`AWS4${secret}`));
  const signature = bytesToHex(mac(key, ['AWS4-HMAC-SHA256', date, scope.join('/'), hash].join('\n')));
  signed.search = [...search, `X-Amz-Signature=${signature}`].join('&');
  return signed;
}

/** The instant of a date such as `20261121T100000Z`, in ms since the epoch; NaN for any other text. */
const instantOf = (date: string): number =>
  /^\d{8}T\d{6}Z$/.test(date) ? Date.parse(date.replace(/(....)(..)(..)T(..)(..)/, '$1-$2-$3T$4:$5:')) : Number.NaN;
