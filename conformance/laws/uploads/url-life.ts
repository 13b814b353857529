import type { Exchange } from '../../history/exchange.ts';
import { lifetime, parseDateTime, rounding, type Upload } from './uploads-in.ts';

/** What an upload URL says about its own lifetime. */
interface Claim {
  readonly words: string;
  /** The lifetime in seconds. */
  readonly seconds?: number;
  /** Milliseconds since the epoch. */
  readonly endsAt?: number;
}

/** Whether an expiry is five minutes after the start, by the clock of the run or by that of the deployment (the Date header). */
export function issuedInTime({ start }: Upload, expiresAt: number, skewSeconds: number): boolean {
  const { sentAt, doneAt, headers } = start;
  const skew = skewSeconds * 1000;
  const within = (from: number, to: number) =>
    expiresAt >= from + lifetime - rounding && expiresAt <= to + lifetime + rounding;
  const date = Date.parse(headers.date ?? '');
  const took = doneAt - sentAt;
  return within(sentAt - skew, doneAt + skew) || within(date - took - rounding, date + took);
}

/** The claims of a presigned URL in the parameters of S3, Google Cloud Storage and Azure. */
export function claimsOf(uploadUrl: unknown): readonly Claim[] {
  if (typeof uploadUrl !== 'string' || !URL.canParse(uploadUrl)) return [];
  const search = new Map([...new URL(uploadUrl).searchParams].map(([name, value]) => [name.toLowerCase(), value]));
  const claims: Claim[] = [];
  for (const store of ['x-amz', 'x-goog']) {
    const seconds = Number(search.get(`${store}-expires`) ?? Number.NaN);
    if (Number.isNaN(seconds)) continue;
    const date = search.get(`${store}-date`) ?? '';
    const issuedAt = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
    claims.push({
      words: `${store}-expires=${seconds}${date === '' ? '' : ` from ${date}`}`,
      seconds,
      ...(!Number.isNaN(issuedAt) && { endsAt: issuedAt + seconds * 1000 }),
    });
  }
  const expires = search.get('expires') ?? '';
  if (/^\d{10}$/.test(expires)) claims.push({ words: `Expires=${expires}`, endsAt: Number(expires) * 1000 });
  const signedExpiry = parseDateTime(search.get('se'));
  if (signedExpiry !== null) claims.push({ words: `se=${search.get('se')}`, endsAt: signedExpiry });
  return claims;
}

/** Milliseconds. If the first PUT to an older URL is refused, the age of the URL is the reason. */
export const young = 30_000;

/** The time at which a URL has surely expired, even if the clocks differ. */
export const surelyExpiredAt = ({ start, expiresAt }: Upload, skewSeconds: number): number =>
  Math.max(expiresAt ?? 0, start.doneAt + lifetime) + skewSeconds * 1000 + rounding;

/** Whether the URL had surely not expired at the end of this PUT, even if the clocks differ. */
export const surelyAlive = ({ start }: Upload, put: Exchange, skewSeconds: number): boolean =>
  put.doneAt < start.sentAt + lifetime - skewSeconds * 1000 - rounding;
