import type { OperationId } from '../../spec/operations.ts';
import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';
import { pathPattern } from '../patterns/path-pattern.ts';
import { wildcard } from '../patterns/wildcard.ts';
import type { Exchange, KeptBody } from './exchange.ts';

/** Selects the exchanges that match all given properties. */
export interface JournalQuery {
  readonly tenant?: string | undefined;
  /** The name of an API key. */
  readonly key?: string | undefined;
  readonly operationId?: OperationId | undefined;
  /** A status such as 404, or a class such as `4xx`. */
  readonly status?: number | `${1 | 2 | 3 | 4 | 5}xx` | undefined;
  readonly method?: string | undefined;
  /** The path without its query. `*` matches any text. */
  readonly path?: string | undefined;
  /** At or after this instant of the mock's clock: milliseconds since the epoch, an ISO date-time or a Date. */
  readonly since?: number | string | Date | undefined;
  /** Before this instant. */
  readonly until?: number | string | Date | undefined;
  /** Headers of the request by name. `*` in a value matches any text. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What the body of the request contains: a text, or JSON. Objects must have the given properties, lists the same items. */
  readonly body?: BodyQuery | undefined;
  /** Headers of the reply. */
  readonly replyHeaders?: Readonly<Record<string, string>> | undefined;
  /** What the body of the reply contains. */
  readonly replyBody?: BodyQuery | undefined;
}

/** A text that a body contains, or properties of its JSON. */
export type BodyQuery = string | object;

interface Criterion {
  matches(exchange: Exchange): boolean;
  /** Says why the exchange does not match, for example `status is 429, not 200`. */
  mismatch(exchange: Exchange): string;
}

/** The criteria of a query. */
export function criteria(query: JournalQuery): Criterion[] {
  const is = <T>(what: string, wanted: T | undefined, read: (exchange: Exchange) => T | null): Criterion[] =>
    wanted === undefined
      ? []
      : [
          {
            matches: (exchange) => read(exchange) === wanted,
            mismatch: (exchange) => `${what} is ${read(exchange) ?? 'none'}, not ${wanted}`,
          },
        ];
  const { status, path } = query;
  const since = instantOf(query.since);
  const until = instantOf(query.until);
  const onPath = path === undefined ? null : pathPattern(path);
  return [
    ...is('tenant', query.tenant, ({ tenant }) => tenant),
    ...is('key', query.key, ({ key }) => key),
    ...is('operation', query.operationId, ({ operationId }) => operationId),
    ...is('method', query.method?.toUpperCase(), ({ request }) => request.method),
    ...(typeof status === 'string'
      ? is('status', status, ({ reply }) => `${Math.floor(reply.status / 100)}xx` as typeof status)
      : is('status', status, ({ reply }) => reply.status)),
    ...(onPath === null
      ? []
      : [
          {
            matches: ({ request }: Exchange) => onPath(request.url),
            mismatch: ({ request }: Exchange) => `path is ${request.url.split('?', 1)[0]}, not ${path}`,
          },
        ]),
    ...(since === undefined ? [] : [time((at) => at >= since, 'before', since)]),
    ...(until === undefined ? [] : [time((at) => at < until, 'not before', until)]),
    ...headersAre('header', query.headers, ({ request }) => request.headers),
    ...bodyContains('body', query.body, ({ request }) => request.body),
    ...headersAre('reply header', query.replyHeaders, ({ reply }) => reply.headers),
    ...bodyContains('reply body', query.replyBody, ({ reply }) => reply.body),
  ];
}

/** The query as text for messages: `operation applySiteLabel, status 200`. */
export function describeQuery(query: JournalQuery): string {
  const parts = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (name === 'since' || name === 'until') return `${name} ${new Date(value).toISOString()}`;
    return `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`;
  });
  return parts.join(', ') || 'anything';
}

const time = (matches: (at: number) => boolean, relation: string, instant: number): Criterion => ({
  matches: ({ at }) => matches(at),
  mismatch: ({ at }) => `it was made at ${new Date(at).toISOString()}, ${relation} ${new Date(instant).toISOString()}`,
});

const instantOf = (instant: number | string | Date | undefined) =>
  instant === undefined ? undefined : new Date(instant).getTime();

function headersAre(
  what: string,
  wanted: Readonly<Record<string, string>> = {},
  read: (exchange: Exchange) => Readonly<Record<string, string | undefined>>,
): Criterion[] {
  return Object.entries(wanted).map(([name, pattern]) => {
    const matches = wildcard(pattern);
    const value = (exchange: Exchange) => read(exchange)[name.toLowerCase()];
    return {
      matches: (exchange) => matches(value(exchange) ?? ''),
      mismatch: (exchange) => `${what} ${name} is ${value(exchange) ?? 'none'}, not ${pattern}`,
    };
  });
}

function bodyContains(
  what: string,
  wanted: BodyQuery | undefined,
  read: (exchange: Exchange) => KeptBody | null,
): Criterion[] {
  if (wanted === undefined) return [];
  const shown = typeof wanted === 'string' ? wanted : JSON.stringify(wanted);
  return [
    {
      matches(exchange) {
        const text = read(exchange)?.text ?? '';
        return typeof wanted === 'string' ? text.includes(wanted) : contains(jsonOrUndefined(text), wanted);
      },
      mismatch(exchange) {
        const body = read(exchange);
        const cut = body?.shortened === true ? ' in the part that is kept' : '';
        return `${what} ${body === null ? 'is none' : `does not contain ${shown}${cut}`}`;
      },
    },
  ];
}

/** Whether a JSON value contains another one. */
function contains(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return value === wanted;
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(wanted)) return false;
  if (Array.isArray(wanted) && wanted.length !== (value as unknown[]).length) return false;
  return Object.entries(wanted).every(
    ([name, part]) => Object.hasOwn(value, name) && contains((value as Record<string, unknown>)[name], part),
  );
}
