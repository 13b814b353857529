/**
 * Uploads: the reply to a start, which has a fileKey, an absolute URL, and when it expires, and what the store says to bytes. What this machine
 * cannot reach, resolve or trust, and what the target file does not tell, is no fault of the deployment.
 */
import { storageReason } from '../../spec/text/storage-reason.ts';
import { uuid } from '../../spec/text/uuid.ts';
import { type Exchange, objectIn, succeeded } from '../history/exchange.ts';
import { largeBody } from '../numbers.ts';
import type { Deployment } from '../target/deployment.ts';
import { cut, form, isUnavailable, type Judgement } from './judge.ts';

/** Mutations of requests whose reply is left open. */
export const asks = {
  early: 'registering a fileKey before its bytes',
  twice: 'registering a fileKey a second time',
  unknown: 'registering a fileKey that nobody issued',
  elsewhere: 'registering the fileKey of another site',
  missing: 'registering without a fileKey',
  malformed: 'registering a fileKey that is no UUID',
  tooLarge: 'a body of 11 MB',
  fields: 'registering with fields that may be too few',
  soon: 'registering right after the bytes, which may not be known yet',
} as const;

/** The mutation of a start for a number at random, which may be somebody's site. */
export const aNumber = 'a number at random';
/** Whether nothing is odd about a registration, except perhaps that its fields are too few, or that it comes soon. */
export const isPlain = ({ facts }: Exchange): boolean =>
  facts?.mutation === null || facts?.mutation?.id === asks.fields || facts?.mutation?.id === asks.soon;

/** Milliseconds for which an upload URL lives. */
export const lifetime = 300_000;
/** Milliseconds that a whole number of seconds may be off. */
export const rounding = 1_000;

/** A date-time of RFC 3339, which includes a zone, in milliseconds since the epoch; null for anything else. */
function instantOf(value: unknown): number | null {
  const isDate =
    typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(value);
  const at = isDate ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

/** Whether this is five minutes after the start, by the clock of the run or by that of the deployment (the Date header). */
function isInFiveMinutes(expiresAt: number, { sentAt, doneAt, headers }: Exchange, skewSeconds: number): boolean {
  const issued = expiresAt - lifetime;
  const isNear = (from: number, to: number) => issued >= from - rounding && issued <= to + rounding;
  const skew = skewSeconds * 1000;
  const date = Date.parse(headers.date ?? '');
  const took = doneAt - sentAt;
  return isNear(sentAt - skew, doneAt + skew) || isNear(date - took, date + took);
}

/** When the upload URL of this reply expires, by the clock of the run: that of the deployment (the Date header) may be ahead. */
export function expiryOf(start: Exchange): number | null {
  const expiresAt = instantOf(objectIn(start).uploadUrlExpiresAt);
  const ahead = Date.parse(start.headers.date ?? '') - start.doneAt;
  return expiresAt === null ? null : ahead > 0 ? expiresAt - ahead : expiresAt;
}

/** Judges the reply to a successful start. */
export function* targetIn(start: Exchange, { clockSkewSeconds: skew }: Deployment): Generator<Judgement> {
  const { fileKey, uploadUrl, uploadUrlExpiresAt } = objectIn(start);
  if (fileKey === undefined && uploadUrl === undefined && uploadUrlExpiresAt === undefined)
    yield form('upload/start-is-201', false, '201 with an upload target', '201 without one');
  const shown = (value: unknown) => cut(JSON.stringify(value) ?? 'missing');
  const isKey = typeof fileKey === 'string' && uuid.test(fileKey);
  yield form('upload/target-file-key', isKey, 'fileKey, a UUID', `fileKey is ${shown(fileKey)}`);
  const isUrl = typeof uploadUrl === 'string' && /^https?:\/\/[^/]/i.test(uploadUrl) && URL.canParse(uploadUrl);
  // Whoever knows an upload URL may upload, so it is not repeated.
  const noUrl = `uploadUrl is ${uploadUrl === undefined ? 'missing' : `a ${typeof uploadUrl}, but no such URL`}`;
  yield form('upload/target-url', isUrl, 'uploadUrl, an absolute URL', noUrl);
  const expiresAt = instantOf(uploadUrlExpiresAt);
  const noExpiry = `uploadUrlExpiresAt is ${shown(uploadUrlExpiresAt)}`;
  yield form('upload/target-expiry', expiresAt !== null, 'uploadUrlExpiresAt, a date-time with its zone', noExpiry);
  const after = (at: number) => `${((at - start.sentAt) / 1000).toFixed(1)} s after the start was sent`;
  if (expiresAt !== null)
    yield form(
      'upload/url-lives-five-minutes',
      isInFiveMinutes(expiresAt, start, skew),
      `valid for 300 s (clockSkewSeconds: ${skew})`,
      `uploadUrlExpiresAt is ${after(expiresAt)}`,
    );
}

/** Whether the other side ended the connection, as a gateway does that refuses a large body. A slow network ends in a time-out. */
const isClosed = ({ status, failure }: Exchange): boolean =>
  status === null && /EPIPE|reset|closed|hang up/i.test(failure ?? '');

/** Whether a large body was not answered in time. */
export const isTooSlow = (exchange: Exchange): boolean =>
  exchange.status === null && exchange.requestBytes > largeBody && !isClosed(exchange);

/** Headers of every PUT, which a signature may name. */
const usual = ['host', 'content-type', 'content-length'];

/** Why the reply to a PUT says nothing about the deployment; null where it does. */
function whyNothing(put: Exchange): string | null {
  const { status, failure, body, url, requestHeaders } = put;
  // Larger bytes than those that the store took may be why it closes the connection.
  if (status === null) return isClosed(put) && put.requestBytes > largeBody ? null : (failure ?? 'no reply');
  if (status < 400 || status >= 500) return null;
  const search = URL.canParse(url) ? [...new URL(url).searchParams] : [];
  const signed = search.flatMap(([name, value]) =>
    /-signedheaders$/i.test(name) ? value.toLowerCase().split(';') : [],
  );
  const sent = new Set([...usual, ...Object.keys(requestHeaders).map((name) => name.toLowerCase())]);
  const lacking = signed.filter((name) => !sent.has(name));
  const [reason = ''] = storageReason(body ?? '');
  const lacksHeader =
    /header/i.test(reason) && /missing|required|mandatory/i.test(reason) && !/api-?key|authori[sz]/i.test(reason);
  if (lacking.length === 0 && !lacksHeader) return null;
  return `${status} ${reason}: the storage wants ${lacking.join(', ') || 'a header'} of every PUT; give it as upload.headers`;
}

/** What the reply to a PUT says about the rule that demands something of it. */
export function* judgePut(put: Exchange): Generator<Judgement> {
  const { demand, status, failure } = put;
  if (demand === undefined) return;
  const { rule, succeeds } = demand;
  const expected = succeeds ? 'the store to take the bytes' : 'a refusal of the store';
  const said = { rule, expected, observed: `${status ?? failure}` };
  const why = succeeds ? whyNothing(put) : null;
  if (succeeded(put) === succeeds) {
    if (!isUnavailable(put) && status !== null) yield { ...said, says: 'kept' };
  } else if (!succeeds) yield { ...said, says: 'broken' };
  else if (why !== null) yield { ...said, says: 'unclear', observed: why };
  else yield { ...said, says: 'suspected' };
}
