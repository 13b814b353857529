import { cutOff, type Exchange, succeeded } from './exchange.ts';
import type { History } from './history.ts';

/** How often an operation was not available. */
interface Availability {
  /** An operationId, or `storage`. */
  readonly operation: string;
  readonly requests: number;
  readonly succeeded: number;
  /** Answered 5xx. */
  readonly errors: number;
  /** Requests without a usable reply. */
  readonly lost: number;
  /** 429s to paced requests, which were below the declared rate. */
  readonly throttled: number;
}

/** One row for each operation that was not available at least once. */
export function availabilityIn({ exchanges }: History): Availability[] {
  const count = (those: readonly Exchange[], is: (exchange: Exchange) => boolean) => those.filter(is).length;
  const asked = exchanges.filter(({ operation, failure }) => operation !== null && failure !== cutOff);
  return [...Map.groupBy(asked, ({ operation }) => operation ?? '')]
    .map(([operation, those]) => ({
      operation,
      requests: those.length,
      succeeded: count(those, succeeded),
      errors: count(those, ({ status }) => status !== null && status >= 500),
      lost: count(those, ({ status }) => status === null),
      throttled: count(those, ({ status, paced }) => status === 429 && paced),
    }))
    .filter(({ errors, lost, throttled }) => errors + lost + throttled > 0);
}
