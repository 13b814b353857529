import type { Exchange } from '../../history/exchange.ts';
import { lifetime, parseDateTime, rounding, type Upload } from './uploads-in.ts';

/** What an upload URL says of its own life. */
interface Claim {
  readonly words: string;
  /** Seconds that it lives. */
  readonly seconds?: number;
  /** In ms since the epoch. */
  readonly endsAt?: number;
}

/** When a URL of that expiry was issued, if it lives as long as it must: by our clock, or by the deployment's own where they differ. */
export function issuedInTime({ start }: Upload, expiresAt: number, skewSeconds: number): boolean {
  const { sentAt, doneAt, headers } = start;
  const skew = skewSeconds * 1000;
  const within = (from: number, to: number) =>
    expiresAt >= from + lifetime - rounding && expiresAt <= to + lifetime + rounding;
  const date = Date.parse(headers.date ?? '');
  const took = doneAt - sentAt;
  return within(sentAt - skew, doneAt + skew) || within(date - took - rounding, date + took);
}

/** What a presigned URL says by the parameters of the stores that are known: nothing where it has others. */
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

/** Milliseconds from a start to a PUT beyond which a refusal is put down to the age of its URL. */
export const young = 30_000;

/** When the URL of an upload is certainly dead, whatever its deployment's clock says. */
export const surelyExpiredAt = ({ start, expiresAt }: Upload, skewSeconds: number): number =>
  Math.max(expiresAt ?? 0, start.doneAt + lifetime) + skewSeconds * 1000 + rounding;

/** Whether the URL is certainly alive when this PUT is done, whatever its deployment's clock says. */
export const surelyAlive = ({ start }: Upload, put: Exchange, skewSeconds: number): boolean =>
  put.doneAt < start.sentAt + lifetime - skewSeconds * 1000 - rounding;
