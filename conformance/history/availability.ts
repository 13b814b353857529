import { cutOff, type Exchange, succeeded } from './exchange.ts';
import type { History } from './history.ts';

/** How often an operation could not be had, whatever was asked of it. */
export interface Availability {
  /** An operationId, or `storage`. */
  readonly operation: string;
  readonly requests: number;
  readonly succeeded: number;
  /** Answered 5xx. */
  readonly errors: number;
  /** Not answered, or not usably. */
  readonly lost: number;
  /** 429s to paced requests, which were below the declared rate. */
  readonly throttled: number;
}

/** One row for each operation that anything went wrong with. */
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
