import type { Exchange } from './exchange.ts';
import { criteria, describeQuery, type JournalQuery } from './query.ts';

/** How many times: exactly so many, or a range. */
export type Times = number | { readonly atLeast?: number | undefined; readonly atMost?: number | undefined };

export interface NearMiss {
  readonly exchange: Exchange;
  /** Everything by which it missed the query. */
  readonly misses: readonly string[];
}

export interface Verification {
  readonly verified: boolean;
  readonly count: number;
  /** The outcome in words, with what came nearest where too few were found. */
  readonly explanation: string;
  readonly nearMisses: readonly NearMiss[];
}

/** The journal does not hold what a test said it would. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError';
  readonly verification: Verification;

  constructor(verification: Verification) {
    super(verification.explanation);
    this.verification = verification;
  }
}

/** How many near misses are shown. */
const shown = 3;

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
      ? found.slice(0, shown).map((exchange) => `  found: ${line(exchange)}`)
      : nearMisses.map(({ exchange, misses }) => `  near miss: ${line(exchange)}: ${misses.join('; ')}`);
  const gone =
    dropped > 0 && !verified ? [`  ${dropped} older exchanges were dropped from the journal and not looked at.`] : [];
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
      .slice(0, shown)
  );
}

const line = ({ id, request, reply, key }: Exchange) =>
  `#${id} ${request.method} ${request.url} -> ${reply.status} (key ${key ?? 'none'})`;

function describeTimes(atLeast: number, atMost: number): string {
  if (atLeast === atMost) return `exactly ${atLeast}`;
  if (atMost === Number.POSITIVE_INFINITY) return `at least ${atLeast}`;
  return atLeast === 0 ? `at most ${atMost}` : `${atLeast} to ${atMost}`;
}
