import type { OperationId } from '../../spec/operations.ts';
import { pathPattern } from '../patterns/path-pattern.ts';
import { wildcard } from '../patterns/wildcard.ts';
import type { Exchange, KeptBody } from './exchange.ts';

/** Which exchanges are wanted: those that fit everything given here. */
export interface JournalQuery {
  readonly tenant?: string | undefined;
  /** The name of an API key. */
  readonly key?: string | undefined;
  readonly operationId?: OperationId | undefined;
  /** A status such as 404, or a class such as `4xx`. */
  readonly status?: number | `${1 | 2 | 3 | 4 | 5}xx` | undefined;
  readonly method?: string | undefined;
  /** Without its query; `*` stands for anything. */
  readonly path?: string | undefined;
  /** At or after this instant of the mock's clock: milliseconds since the epoch, an ISO date-time or a Date. */
  readonly since?: number | string | Date | undefined;
  /** Before this instant. */
  readonly until?: number | string | Date | undefined;
  /** Headers of the request by name; `*` in a value stands for anything. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What the body of the request holds: a text, or properties of its JSON; of an object those given here, of a list all. */
  readonly body?: BodyQuery | undefined;
  /** Headers of the reply. */
  readonly replyHeaders?: Readonly<Record<string, string>> | undefined;
  /** What the body of the reply holds. */
  readonly replyBody?: BodyQuery | undefined;
}

/** A text that a body holds, or properties of its JSON. */
export type BodyQuery = string | object;

interface Criterion {
  fits(exchange: Exchange): boolean;
  /** For example ``status is 429, not 200``. */
  misses(exchange: Exchange): string;
}

/** The criteria of a query, each of which can say how an exchange misses it. */
export function criteria(query: JournalQuery): Criterion[] {
  const is = <T>(what: string, wanted: T | undefined, read: (exchange: Exchange) => T | null): Criterion[] =>
    wanted === undefined
      ? []
      : [
          {
            fits: (exchange) => read(exchange) === wanted,
            misses: (exchange) => `${what} is ${read(exchange) ?? 'none'}, not ${wanted}`,
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
            fits: ({ request }: Exchange) => onPath(request.url),
            misses: ({ request }: Exchange) => `path is ${request.url.split('?', 1)[0]}, not ${path}`,
          },
        ]),
    ...(since === undefined ? [] : [time((at) => at >= since, 'before', since)]),
    ...(until === undefined ? [] : [time((at) => at < until, 'not before', until)]),
    ...headersAre('header', query.headers, ({ request }) => request.headers),
    ...bodyHolds('body', query.body, ({ request }) => request.body),
    ...headersAre('reply header', query.replyHeaders, ({ reply }) => reply.headers),
    ...bodyHolds('reply body', query.replyBody, ({ reply }) => reply.body),
  ];
}

/** The query in words, for messages: `operation applySiteLabel, status 200`. */
export function describeQuery(query: JournalQuery): string {
  const parts = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (name === 'since' || name === 'until') return `${name} ${new Date(value).toISOString()}`;
    return `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`;
  });
  return parts.join(', ') || 'anything';
}

const time = (fits: (at: number) => boolean, relation: string, instant: number): Criterion => ({
  fits: ({ at }) => fits(at),
  misses: ({ at }) => `it was made at ${new Date(at).toISOString()}, ${relation} ${new Date(instant).toISOString()}`,
});

const instantOf = (instant: number | string | Date | undefined) =>
  instant === undefined ? undefined : new Date(instant).getTime();

function headersAre(
  what: string,
  wanted: Readonly<Record<string, string>> = {},
  read: (exchange: Exchange) => Readonly<Record<string, string | undefined>>,
): Criterion[] {
  return Object.entries(wanted).map(([name, pattern]) => {
    const fits = wildcard(pattern);
    const value = (exchange: Exchange) => read(exchange)[name.toLowerCase()];
    return {
      fits: (exchange) => fits(value(exchange) ?? ''),
      misses: (exchange) => `${what} ${name} is ${value(exchange) ?? 'none'}, not ${pattern}`,
    };
  });
}

function bodyHolds(
  what: string,
  wanted: BodyQuery | undefined,
  read: (exchange: Exchange) => KeptBody | null,
): Criterion[] {
  if (wanted === undefined) return [];
  const shown = typeof wanted === 'string' ? wanted : JSON.stringify(wanted);
  return [
    {
      fits(exchange) {
        const text = read(exchange)?.text ?? '';
        return typeof wanted === 'string' ? text.includes(wanted) : holds(parsed(text), wanted);
      },
      misses(exchange) {
        const body = read(exchange);
        const cut = body?.shortened === true ? ' in the part that is kept' : '';
        return `${what} ${body === null ? 'is none' : `does not hold ${shown}${cut}`}`;
      },
    },
  ];
}

/** The parsed body; undefined where the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a JSON value has all that is wanted of it. */
function holds(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return value === wanted;
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(wanted)) return false;
  if (Array.isArray(wanted) && wanted.length !== (value as unknown[]).length) return false;
  return Object.entries(wanted).every(
    ([name, part]) => Object.hasOwn(value, name) && holds((value as Record<string, unknown>)[name], part),
  );
}
