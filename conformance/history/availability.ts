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
  const count = (group: readonly Exchange[], is: (exchange: Exchange) => boolean) => group.filter(is).length;
  const requests = exchanges.filter(({ operation, failure }) => operation !== null && failure !== cutOff);
  return [...Map.groupBy(requests, ({ operation }) => operation ?? '')]
    .map(([operation, group]) => ({
      operation,
      requests: group.length,
      succeeded: count(group, succeeded),
      errors: count(group, ({ status }) => status !== null && status >= 500),
      lost: count(group, ({ status }) => status === null),
      throttled: count(group, ({ status, paced }) => status === 429 && paced),
    }))
    .filter(({ errors, lost, throttled }) => errors + lost + throttled > 0);
}
