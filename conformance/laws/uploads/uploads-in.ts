import { type Exchange, jsonOf, objectIn, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { askedBy, deploymentIn } from '../judging/asked.ts';
import { type Breach, once } from '../judging/law.ts';

/** Milliseconds that an upload URL lives. */
export const lifetime = 300_000;

/** Timestamps of whole seconds, and the Date header too, may be off by one. */
export const rounding = 1_000;

/** A start that succeeded, with every PUT to its URL and every attempt to register its fileKey. */
export interface Upload {
  readonly start: Exchange;
  readonly tenant: string;
  readonly site: string;
  readonly fileKey: unknown;
  readonly uploadUrl: unknown;
  readonly uploadUrlExpiresAt: unknown;
  /** In ms since the epoch; null where it is no date-time. */
  readonly expiresAt: number | null;
  readonly contentType: unknown;
  readonly puts: readonly Exchange[];
  readonly registrations: readonly Exchange[];
}

/** RFC 3339: a zone is part of it. Null for anything else, in ms since the epoch. */
export function parseDateTime(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  if (!/^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(value)) return null;
  const time = Date.parse(value.replace(' ', 'T').toUpperCase());
  return Number.isNaN(time) ? null : time;
}

/** The JSON body of a request; undefined where it is none. */
export function askedJson({ requestBody }: Exchange): unknown {
  try {
    return JSON.parse(requestBody ?? '');
  } catch {
    return undefined;
  }
}

const propertyOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;

/** The fileKey that a registration names. */
export const fileKeyAsked = (exchange: Exchange): unknown => propertyOf(askedJson(exchange), 'fileKey');

/** Every upload that was started, in the order of their starts. */
export const uploadsIn = once((history: History): readonly Upload[] => {
  const { exchanges } = history;
  const puts = Map.groupBy(
    exchanges.filter(({ operation }) => operation === 'storage'),
    ({ params }) => params.start,
  );
  const registrations = Map.groupBy(
    exchanges.filter(({ operation }) => operation === 'registerSiteFile'),
    fileKeyAsked,
  );
  return exchanges
    .filter((exchange) => exchange.operation === 'startSiteFileUpload' && succeeded(exchange))
    .map((start): Upload => {
      const { fileKey, uploadUrl, uploadUrlExpiresAt } = objectIn(start);
      return {
        start,
        tenant: askedBy(start, history).tenant?.name ?? '',
        site: start.params.id ?? '',
        fileKey,
        uploadUrl,
        uploadUrlExpiresAt,
        expiresAt: parseDateTime(uploadUrlExpiresAt),
        contentType: propertyOf(askedJson(start), 'contentType'),
        puts: puts.get(String(start.n)) ?? [],
        registrations: typeof fileKey === 'string' ? (registrations.get(fileKey) ?? []) : [],
      };
    });
});

/** The body of a start has exactly what the contract asks for, and the one content type that this deployment takes for certain. */
export function hasLawfulBody(exchange: Exchange, history: History): boolean {
  const body = askedJson(exchange);
  return (
    isJsonRequest(exchange) &&
    typeof body === 'object' &&
    body !== null &&
    Object.keys(body).length === 1 &&
    propertyOf(body, 'contentType') === deploymentIn(history).uploadContentType
  );
}

export const isJsonRequest = ({ requestHeaders }: Exchange): boolean =>
  /^application\/json\s*(;|$)/i.test(requestHeaders['content-type'] ?? '');

/** What a reply was, in a few words: `404 NOT_FOUND`. */
export function answerOf(exchange: Exchange): string {
  const { status, failure } = exchange;
  if (status === null) return failure ?? 'no reply';
  const code = propertyOf(propertyOf(jsonOf(exchange), 'error'), 'code');
  return typeof code === 'string' && code !== '' ? `${status} ${code}` : String(status);
}

/** Not a 5xx, a 429 or no reply at all, by which alone nothing is judged. */
export const says = ({ status }: Exchange): boolean => status !== null && status !== 429 && status < 500;

/** As many failures as no deployment has that fails now and then. */
const neverOnce = 3;

/**
 * The breaches among requests that are to be answered alike. What fails now and then is no breach; what never once succeeds is.
 * @param unanswered also counts requests that got no reply at all
 */
export function breachesAmong(
  exchanges: readonly Exchange[],
  fits: (exchange: Exchange) => boolean,
  expected: (exchange: Exchange) => string,
  { unanswered = false }: { readonly unanswered?: boolean } = {},
): Breach[] {
  const breaches = exchanges
    .filter((exchange) => says(exchange) && !fits(exchange))
    .map((exchange) => ({ exchange, expected: expected(exchange), observed: answerOf(exchange) }));
  const failures = exchanges.filter(({ status }) => (status === null ? unanswered : status >= 500));
  const [first] = failures;
  if (first === undefined || failures.length < neverOnce || exchanges.some(says)) return breaches;
  const observed = `${answerOf(first)}, as in all ${failures.length} attempts`;
  return [{ exchange: first, expected: expected(first), observed, with: failures.slice(1, 3) }];
}
