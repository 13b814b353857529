import type { Duration } from '../clock.ts';
import { toMilliseconds } from '../clock.ts';
import type { Exchange } from './exchange.ts';
import { criteria, describeQuery, type JournalQuery } from './query.ts';

/** How many times: exactly so many, or a range. */
export type Times = number | { readonly atLeast?: number | undefined; readonly atMost?: number | undefined };

/** An exchange that nearly fits a query. */
export interface NearMiss {
  readonly exchange: Exchange;
  /** Everything by which it missed the query. */
  readonly misses: readonly string[];
}

/** Whether the journal holds what was asked for. */
export interface Verification {
  readonly verified: boolean;
  readonly count: number;
  /** The outcome in words, with what came nearest where too few were found. */
  readonly explanation: string;
  readonly nearMisses: readonly NearMiss[];
}

/** How many near misses are shown. */
const maxShown = 3;

/** How far apart requests are, by the mock's clock: from the moment one was judged to the moment the next was. */
export interface Gaps {
  readonly atLeast?: Duration | undefined;
  readonly atMost?: Duration | undefined;
}

/** Whether the exchanges that fit the query are as many as they should be. */
export function verification(
  exchanges: readonly Exchange[],
  query: JournalQuery,
  times: Times,
  dropped: number,
): Verification {
  const wanted = criteria(query);
  const found = exchanges.filter((exchange) => wanted.every((criterion) => criterion.fits(exchange)));
  const { atLeast = 0, atMost = Number.POSITIVE_INFINITY } =
    typeof times === 'number' ? { atLeast: times, atMost: times } : times;
  const verified = found.length >= atLeast && found.length <= atMost;
  const nearMisses = found.length < atLeast ? nearest(exchanges, wanted) : [];
  const head = `${describeQuery(query)}: expected ${describeTimes(atLeast, atMost)}, found ${found.length}.`;
  const detail = verified
    ? []
    : found.length > atMost
      ? found.slice(0, maxShown).map((exchange) => `  found: ${line(exchange)}`)
      : nearMisses.map(({ exchange, misses }) => `  near miss: ${line(exchange)}: ${misses.join('; ')}`);
  const gone = dropped > 0 && !verified ? [goneLine(dropped)] : [];
  const empty = !verified && exchanges.length === 0 ? ['  The journal is empty.'] : [];
  return { verified, count: found.length, explanation: [head, ...detail, ...gone, ...empty].join('\n'), nearMisses };
}

function nearest(exchanges: readonly Exchange[], wanted: ReturnType<typeof criteria>): NearMiss[] {
  return (
    exchanges
      .map((exchange) => ({
        exchange,
        misses: wanted.filter((criterion) => !criterion.fits(exchange)).map((criterion) => criterion.misses(exchange)),
      }))
      // What shares nothing with the query is no near miss.
      .filter(({ misses }) => misses.length > 0 && (misses.length < wanted.length || wanted.length === 1))
      .sort((a, b) => a.misses.length - b.misses.length || b.exchange.id - a.exchange.id)
      .slice(0, maxShown)
  );
}

const line = ({ id, request, reply, key }: Exchange) =>
  `#${id} ${request.method} ${request.url} -> ${reply.status} (key ${key ?? 'none'})`;

function describeTimes(atLeast: number, atMost: number): string {
  if (atLeast === atMost) return `exactly ${atLeast}`;
  if (atMost === Number.POSITIVE_INFINITY) return `at least ${atLeast}`;
  return atLeast === 0 ? `at most ${atMost}` : `${atLeast} to ${atMost}`;
}

/** Whether for each query in turn there is an exchange that fits it, after the one before; others may stand between them. */
export function sequenceVerification(
  exchanges: readonly Exchange[],
  queries: readonly JournalQuery[],
  dropped: number,
): Verification {
  let rest = exchanges;
  const found: Exchange[] = [];
  for (const query of queries) {
    const wanted = criteria(query);
    const at = rest.findIndex((exchange) => wanted.every((criterion) => criterion.fits(exchange)));
    const exchange = rest[at];
    if (exchange === undefined) {
      const nearMisses = nearest(rest, wanted);
      const after = found.length === 0 ? '' : ` after #${found.at(-1)?.id}`;
      const lines = [
        `in sequence: step ${found.length + 1} of ${queries.length} is missing${after}: ${describeQuery(query)}.`,
        ...found.map((step, index) => `  step ${index + 1}: ${line(step)}`),
        ...nearMisses.map((near) => `  near miss: ${line(near.exchange)}: ${near.misses.join('; ')}`),
        ...(dropped > 0 ? [goneLine(dropped)] : []),
      ];
      return { verified: false, count: found.length, explanation: lines.join('\n'), nearMisses };
    }
    found.push(exchange);
    rest = rest.slice(at + 1);
  }
  const explanation = `in sequence: all ${queries.length} steps were found.`;
  return { verified: true, count: found.length, explanation, nearMisses: [] };
}

/** Whether any two exchanges in a row, of those that fit the query, are as far apart as they should be. */
export function gapVerification(
  exchanges: readonly Exchange[],
  query: JournalQuery,
  gaps: Gaps,
  dropped: number,
): Verification {
  const wanted = criteria(query);
  const found = exchanges.filter((exchange) => wanted.every((criterion) => criterion.fits(exchange)));
  const least = toMilliseconds(gaps.atLeast ?? 0);
  const most = gaps.atMost === undefined ? Number.POSITIVE_INFINITY : toMilliseconds(gaps.atMost);
  const wrong = found.flatMap((exchange, index) => {
    const previous = found[index - 1];
    if (previous === undefined) return [];
    const gap = exchange.at - previous.at;
    return gap >= least && gap <= most ? [] : [`  ${line(exchange)}: ${gap} ms after #${previous.id}`];
  });
  const bounds = [least > 0 && `at least ${least} ms`, most < Number.POSITIVE_INFINITY && `at most ${most} ms`];
  const head = `${describeQuery(query)}: expected gaps of ${bounds.filter(Boolean).join(' and ')}, ${wrong.length} of ${Math.max(0, found.length - 1)} are not.`;
  const gone = wrong.length > 0 && dropped > 0 ? [goneLine(dropped)] : [];
  const explanation = [head, ...wrong.slice(0, maxShown), ...gone].join('\n');
  return { verified: wrong.length === 0, count: found.length, explanation, nearMisses: [] };
}

const goneLine = (dropped: number) => `  ${dropped} older exchanges were dropped from the journal and not looked at.`;
