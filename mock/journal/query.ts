import type { OperationId } from '../../spec/operations.ts';
import { pathPattern } from '../faults/path-pattern.ts';
import type { Exchange } from './exchange.ts';

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
  /** At or after this instant of the mock's clock, in milliseconds since the epoch. */
  readonly since?: number | undefined;
  /** Before this instant. */
  readonly until?: number | undefined;
}

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
  const { status, path, since, until } = query;
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
  ];
}

/** The query in words, for messages: `operation applySiteLabel, status 200`. */
export function describeQuery(query: JournalQuery): string {
  const parts = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return name === 'since' || name === 'until' ? `${name} ${new Date(value).toISOString()}` : `${name} ${value}`;
  });
  return parts.join(', ') || 'anything';
}

const time = (fits: (at: number) => boolean, relation: string, instant: number): Criterion => ({
  fits: ({ at }) => fits(at),
  misses: ({ at }) => `it was made at ${new Date(at).toISOString()}, ${relation} ${new Date(instant).toISOString()}`,
});
