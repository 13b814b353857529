/** The reply to a start: a fileKey, an absolute URL, and when it expires, which must be in five minutes by all that says so. */
import { uuid } from '../../spec/text/uuid.ts';
import { type Exchange, objectIn } from '../history/exchange.ts';
import type { Deployment } from '../target/deployment.ts';
import { form, type Judgement } from './judge.ts';

/** Milliseconds for which an upload URL lives. */
export const lifetime = 300_000;
/** Milliseconds that a whole number of seconds may be off. */
export const rounding = 1_000;

/** A date-time of RFC 3339, which includes a zone, in milliseconds since the epoch; null for anything else. */
export function instantOf(value: unknown): number | null {
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

/** What an upload URL says about its own life: seconds, or an end in milliseconds since the epoch. */
interface Claim {
  readonly words: string;
  readonly seconds?: number;
  readonly endsAt?: number;
}

/** The claims of a presigned URL in the parameters of S3, Google Cloud Storage and Azure. */
function* claimsOf(url: string): Generator<Claim> {
  const search = new Map([...new URL(url).searchParams].map(([name, value]) => [name.toLowerCase(), value]));
  for (const store of ['x-amz', 'x-goog']) {
    const seconds = Number(search.get(`${store}-expires`) ?? Number.NaN);
    if (Number.isNaN(seconds)) continue;
    const date = search.get(`${store}-date`) ?? '';
    const issuedAt = instantOf(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
    const endsAt = issuedAt === null ? {} : { endsAt: issuedAt + seconds * 1000 };
    yield { words: `${store}-expires=${seconds}${date === '' ? '' : ` from ${date}`}`, seconds, ...endsAt };
  }
  const expires = search.get('expires') ?? '';
  if (/^\d{10}$/.test(expires)) yield { words: `Expires=${expires}`, endsAt: Number(expires) * 1000 };
  const endsAt = instantOf(search.get('se'));
  if (endsAt !== null) yield { words: `se=${search.get('se')}`, endsAt };
}

/** Judges the reply to a successful start. */
export function* targetIn(start: Exchange, { clockSkewSeconds: skew }: Deployment): Generator<Judgement> {
  const { fileKey, uploadUrl, uploadUrlExpiresAt } = objectIn(start);
  if (fileKey === undefined && uploadUrl === undefined && uploadUrlExpiresAt === undefined)
    yield form('upload/start-is-201', false, '201 with an upload target', '201 without one');
  const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 80) ?? 'missing';
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
  const lives = (isKept: boolean, observed: string) =>
    form('upload/url-lives-five-minutes', isKept, `valid for 300 s (clockSkewSeconds: ${skew})`, observed);
  if (expiresAt !== null)
    yield lives(isInFiveMinutes(expiresAt, start, skew), `uploadUrlExpiresAt is ${after(expiresAt)}`);
  for (const { words, seconds, endsAt } of isUrl ? claimsOf(uploadUrl) : []) {
    const lasts = seconds === undefined || Math.abs(seconds - lifetime / 1000) <= skew + 1;
    const ends = endsAt === undefined || isInFiveMinutes(endsAt, start, skew);
    yield lives(lasts && ends, `the URL says ${words}${endsAt === undefined ? '' : `: ${after(endsAt)}`}`);
  }
}
