import { jsonOrUndefined } from '../../../spec/text/json-or-undefined.ts';
import { type Exchange, isNoFault, objectIn, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { askedBy, deploymentIn } from '../judging/asked.ts';
import { answerOf } from '../judging/error-body.ts';
import { type Breach, once } from '../judging/law.ts';
import { answered } from '../judging/served.ts';

/** The lifetime of an upload URL, in milliseconds. */
export const lifetime = 300_000;

/** Milliseconds. Timestamps and the Date header may be rounded to seconds. */
export const rounding = 1_000;

/** A successful start, with every PUT to its URL and every registration of its fileKey. */
export interface Upload {
  readonly start: Exchange;
  readonly tenant: string;
  readonly site: string;
  readonly fileKey: unknown;
  readonly uploadUrl: unknown;
  readonly uploadUrlExpiresAt: unknown;
  /** Milliseconds since the epoch; null where uploadUrlExpiresAt is not a date-time. */
  readonly expiresAt: number | null;
  readonly contentType: unknown;
  readonly puts: readonly Exchange[];
  readonly registrations: readonly Exchange[];
}

/** Parses a date-time of RFC 3339, which includes a zone, into milliseconds since the epoch; null for anything else. */
export function parseDateTime(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  if (!/^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(value)) return null;
  const time = Date.parse(value.replace(' ', 'T').toUpperCase());
  return Number.isNaN(time) ? null : time;
}

/** The JSON body of a request; undefined where the body is not JSON. */
export const askedJson = ({ requestBody }: Exchange): unknown => jsonOrUndefined(requestBody ?? '');

const propertyOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;

/** The fileKey in the body of a registration. */
export const fileKeyAsked = (exchange: Exchange): unknown => propertyOf(askedJson(exchange), 'fileKey');

/** Every upload, in the order of the starts. */
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

/** Whether the body of a start is as the contract demands, with a content type that this deployment surely accepts. */
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

/** This many failures without any other reply rule out chance. */
const minFailures = 3;

/**
 * The breaches among requests that must be answered alike. A 5xx now and then is no breach, but only 5xx are.
 * @param unanswered also counts requests without a reply as failures
 */
export function breachesAmong(
  exchanges: readonly Exchange[],
  fits: (exchange: Exchange) => boolean,
  expected: (exchange: Exchange) => string,
  { unanswered = false }: { readonly unanswered?: boolean } = {},
): Breach[] {
  const breaches = exchanges
    .filter((exchange) => answered(exchange) && !fits(exchange))
    .map((exchange) => ({ exchange, expected: expected(exchange), observed: answerOf(exchange) }));
  const failures = exchanges.filter((one) => (one.status === null ? unanswered && !isNoFault(one) : one.status >= 500));
  const [first] = failures;
  if (first === undefined || failures.length < minFailures || exchanges.some(answered)) return breaches;
  const observed = `${answerOf(first)}, as in all ${failures.length} attempts`;
  return [{ exchange: first, expected: expected(first), observed, with: failures.slice(1, 3) }];
}
