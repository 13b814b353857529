import type { OperationId } from '../../../spec/operations.ts';
import type { Exchange } from '../../history/exchange.ts';

/** Throttled requests that show an operation. */
const minThrottled = 3;

/** Its share of throttled requests, as a multiple of that of the other operations. */
const minExcess = 1.3;

/** The operation that is throttled more than the others, and may have a limit of its own; undefined where none stands out. */
export function mostThrottled(exchanges: readonly Exchange[]): OperationId | undefined {
  const groups = [...Map.groupBy(exchanges, ({ operation }) => operation)].flatMap(([operation, own]) =>
    operation === null || operation === 'storage' ? [] : [{ operation, own }],
  );
  const found = groups
    .map(({ operation, own }) => ({
      operation,
      throttled: throttledIn(own),
      excess: shareOf(own) / shareOf(exchanges.filter((one) => one.operation !== operation)),
    }))
    .filter(({ throttled, excess }) => throttled >= minThrottled && excess >= minExcess);
  return found.sort((a, b) => b.excess - a.excess)[0]?.operation;
}

const throttledIn = (exchanges: readonly Exchange[]) => exchanges.filter(({ status }) => status === 429).length;
const shareOf = (exchanges: readonly Exchange[]) => throttledIn(exchanges) / Math.max(1, exchanges.length);
