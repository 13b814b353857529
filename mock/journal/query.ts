import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';
import type { JournalQuery } from '../arguments/shapes.ts';
import { pathPattern, wildcard } from '../paths.ts';
import type { Exchange, KeptBody } from './exchange.ts';

/** Says why an exchange does not match a criterion, for example `status is 429, not 200`; null if it does. */
type Criterion = (exchange: Exchange) => string | null;

/** The criteria of a query. */
export function criteria(query: JournalQuery): Criterion[] {
  const { status } = query;
  return [
    ...is('tenant', query.tenant, ({ tenant }) => tenant),
    ...is('key', query.key, ({ key }) => key),
    ...is('operation', query.operationId, ({ operationId }) => operationId),
    ...is('method', query.method?.toUpperCase(), ({ request }) => request.method),
    ...is('status', status, ({ reply }) =>
      typeof status === 'string' ? `${Math.floor(reply.status / 100)}xx` : reply.status,
    ),
    ...fits(query.path, pathPattern, ({ request }, onPath) =>
      onPath(request.url) ? null : `path is ${request.url.split('?', 1)[0]}, not ${query.path}`,
    ),
    ...fits(query.since, instantOf, ({ at }, since) => (at >= since ? null : madeAt(at, 'before', since))),
    ...fits(query.until, instantOf, ({ at }, until) => (at < until ? null : madeAt(at, 'not before', until))),
    ...headersAre('header', query.headers, ({ request }) => request.headers),
    ...bodyContains('body', query.body, ({ request }) => request.body),
    ...headersAre('reply header', query.replyHeaders, ({ reply }) => reply.headers),
    ...bodyContains('reply body', query.replyBody, ({ reply }) => reply.body),
  ];
}

/** Whether an exchange matches the query. */
export function selects(query: JournalQuery): (exchange: Exchange) => boolean {
  const wanted = criteria(query);
  return (exchange) => wanted.every((criterion) => criterion(exchange) === null);
}

/** The query as text for messages: `operation applySiteLabel, status 200`. */
export function describeQuery(query: JournalQuery): string {
  const parts = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (name === 'since' || name === 'until') return `${name} ${new Date(query[name] ?? '').toISOString()}`;
    return `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`;
  });
  return parts.join(', ') || 'anything';
}

const is = <T>(what: string, wanted: T | undefined, read: (exchange: Exchange) => unknown): Criterion[] =>
  fits(wanted, String, (exchange) => {
    const value = read(exchange);
    return value === wanted ? null : `${what} is ${value ?? 'none'}, not ${wanted}`;
  });

/** A criterion with what is made of its wanted value once. None without a wanted value. */
function fits<T, Made>(
  wanted: T | undefined,
  make: (wanted: T) => Made,
  mismatch: (exchange: Exchange, made: Made) => string | null,
): Criterion[] {
  if (wanted === undefined) return [];
  const made = make(wanted);
  return [(exchange) => mismatch(exchange, made)];
}

const instantOf = (instant: number | string | Date) => new Date(instant).getTime();

const madeAt = (at: number, relation: string, instant: number) =>
  `it was made at ${new Date(at).toISOString()}, ${relation} ${new Date(instant).toISOString()}`;

const headersAre = (
  what: string,
  wanted: Readonly<Record<string, string>> = {},
  read: (exchange: Exchange) => Readonly<Record<string, string | undefined>>,
): Criterion[] =>
  Object.entries(wanted).flatMap(([name, pattern]) =>
    fits(pattern, wildcard, (exchange, matches) => {
      const value = read(exchange)[name.toLowerCase()];
      return matches(value ?? '') ? null : `${what} ${name} is ${value ?? 'none'}, not ${pattern}`;
    }),
  );

const bodyContains = (
  what: string,
  wanted: JournalQuery['body'],
  read: (exchange: Exchange) => KeptBody | null,
): Criterion[] =>
  fits(
    wanted,
    (part) => (typeof part === 'string' ? part : JSON.stringify(part)),
    (exchange, shown) => {
      const body = read(exchange);
      const text = body?.text ?? '';
      if (typeof wanted === 'string' ? text.includes(wanted) : contains(jsonOrUndefined(text), wanted)) return null;
      if (body === null) return `${what} is none`;
      return `${what} does not contain ${shown}${body.shortened ? ' in the part that is kept' : ''}`;
    },
  );

/** Whether a JSON value contains another one. */
function contains(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return value === wanted;
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(wanted)) return false;
  if (Array.isArray(wanted) && wanted.length !== (value as unknown[]).length) return false;
  return Object.entries(wanted).every(
    ([name, part]) => Object.hasOwn(value, name) && contains((value as Record<string, unknown>)[name], part),
  );
}
