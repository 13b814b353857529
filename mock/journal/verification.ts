import type { JournalQuery } from '../arguments/shapes.ts';
import { type Duration, toMilliseconds } from '../clock.ts';
import type { Exchange } from './exchange.ts';
import { criteria, describeQuery, selects } from './query.ts';

/** How many times: an exact number, or a range. */
export type Times = number | { readonly atLeast?: number | undefined; readonly atMost?: number | undefined };

/** An exchange that nearly matches a query. */
export interface NearMiss {
  readonly exchange: Exchange;
  /** Every criterion that the exchange does not match. */
  readonly misses: readonly string[];
}

/** The result of a verification. */
export interface Verification {
  readonly verified: boolean;
  readonly count: number;
  /** The result as text, with the nearest exchanges if too few were found. */
  readonly explanation: string;
  readonly nearMisses: readonly NearMiss[];
}

/** The code under test did not send the requests that a test expected. The message names the nearest exchanges. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError';
  readonly verification: Verification;

  constructor(verification: Verification) {
    super(verification.explanation);
    this.verification = verification;
  }
}

/** How many near misses are shown. */
const maxShown = 3;

/** The time between two requests in a row, by the mock's clock. */
export interface Gaps {
  readonly atLeast?: Duration | undefined;
  readonly atMost?: Duration | undefined;
}

/** The number, the order or the spacing of matching exchanges. Other exchanges may come between those of a sequence. */
export type Expectation =
  | { readonly query?: JournalQuery | undefined; readonly times: Times }
  | { readonly sequence: readonly JournalQuery[] }
  | { readonly query?: JournalQuery | undefined; readonly gaps: Gaps };

/** What was found, in lines: the first always, the others if the expectation is not met. */
interface Finding {
  readonly found: readonly Exchange[];
  readonly head: string;
  readonly wrong: readonly string[] | null;
  readonly nearMisses?: readonly NearMiss[];
}

/** Checks exchanges. @param dropped how many older ones the journal no longer has */
export function verification(exchanges: readonly Exchange[], expected: Expectation, dropped: number): Verification {
  const finding =
    'sequence' in expected
      ? inSequence(exchanges, expected.sequence)
      : 'gaps' in expected
        ? inTime(exchanges, expected.query ?? {}, expected.gaps)
        : inNumber(exchanges, expected.query ?? {}, expected.times);
  const { found, head, wrong, nearMisses = [] } = finding;
  const older = `${dropped} older exchanges were dropped from the journal and could not be checked.`;
  const lines = wrong === null ? [] : [...wrong, ...nearMisses.map(nearLine), ...(dropped > 0 ? [older] : [])];
  if (wrong !== null && exchanges.length === 0) lines.push('The journal is empty.');
  const explanation = [head, ...lines.map((each) => `  ${each}`)].join('\n');
  return { verified: wrong === null, count: found.length, explanation, nearMisses };
}

function inNumber(exchanges: readonly Exchange[], query: JournalQuery, times: Times): Finding {
  const found = exchanges.filter(selects(query));
  const { atLeast = 0, atMost = Number.POSITIVE_INFINITY } =
    typeof times === 'number' ? { atLeast: times, atMost: times } : times;
  const head = `${describeQuery(query)}: expected ${describeRange(atLeast, atMost)}, found ${found.length}.`;
  if (found.length < atLeast) return { found, head, wrong: [], nearMisses: nearest(exchanges, query) };
  const tooMany = found.slice(0, maxShown).map((exchange) => `found: ${line(exchange)}`);
  return { found, head, wrong: found.length > atMost ? tooMany : null };
}

function inSequence(exchanges: readonly Exchange[], queries: readonly JournalQuery[]): Finding {
  let rest = exchanges;
  const found: Exchange[] = [];
  for (const query of queries) {
    const at = rest.findIndex(selects(query));
    const exchange = rest[at];
    if (exchange === undefined) {
      const after = found.length === 0 ? '' : ` after #${found.at(-1)?.id}`;
      const step = `step ${found.length + 1} of ${queries.length} is missing${after}`;
      const wrong = found.map((each, index) => `step ${index + 1}: ${line(each)}`);
      const head = `in sequence: ${step}: ${describeQuery(query)}.`;
      return { found, head, wrong, nearMisses: nearest(rest, query) };
    }
    found.push(exchange);
    rest = rest.slice(at + 1);
  }
  return { found, head: `in sequence: all ${queries.length} steps were found.`, wrong: null };
}

/** Checks the time between any two matching exchanges in a row. */
function inTime(exchanges: readonly Exchange[], query: JournalQuery, gaps: Gaps): Finding {
  const found = exchanges.filter(selects(query));
  const min = toMilliseconds(gaps.atLeast ?? 0);
  const max = gaps.atMost === undefined ? Number.POSITIVE_INFINITY : toMilliseconds(gaps.atMost);
  const wrong = found.flatMap((exchange, index) => {
    const previous = found[index - 1];
    if (previous === undefined) return [];
    const gap = exchange.at - previous.at;
    return gap >= min && gap <= max ? [] : [`${line(exchange)}: ${gap} ms after #${previous.id}`];
  });
  const head = `${describeQuery(query)}: expected gaps of ${describeRange(min, max)} ms; ${wrong.length} of ${Math.max(0, found.length - 1)} gaps differ.`;
  return { found, head, wrong: wrong.length === 0 ? null : wrong.slice(0, maxShown) };
}

function nearest(exchanges: readonly Exchange[], query: JournalQuery): NearMiss[] {
  const wanted = criteria(query);
  return (
    exchanges
      .map((exchange) => ({ exchange, misses: wanted.flatMap((criterion) => criterion(exchange) ?? []) }))
      // An exchange that matches no criterion is not a near miss.
      .filter(({ misses }) => misses.length > 0 && (misses.length < wanted.length || wanted.length === 1))
      .sort((a, b) => a.misses.length - b.misses.length || b.exchange.id - a.exchange.id)
      .slice(0, maxShown)
  );
}

const line = ({ id, request, reply, key }: Exchange) =>
  `#${id} ${request.method} ${request.url} -> ${reply.status} (key ${key ?? 'none'})`;

const nearLine = ({ exchange, misses }: NearMiss) => `near miss: ${line(exchange)}: ${misses.join('; ')}`;

function describeRange(atLeast: number, atMost: number): string {
  if (atLeast === atMost) return `exactly ${atLeast}`;
  if (atMost === Number.POSITIVE_INFINITY) return `at least ${atLeast}`;
  return atLeast === 0 ? `at most ${atMost}` : `${atLeast} to ${atMost}`;
}
