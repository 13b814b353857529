import type { OperationId } from '../../../spec/operations.ts';
import type { Exchange } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { type Breach, once } from '../judging/law.ts';
import { lineOf } from '../judging/served.ts';

/** So large a share of errors is not one now and then. */
const minShare = 1 / 5;
/** Errors, and moments at which they came: a restart is one moment, however many requests it hits. */
const [minErrors, minMoments] = [6, 3];
/** Milliseconds between two moments. */
const apart = 1_000;
/** Requests that nothing else overlaps, which show that the operation works, but for so small a share. */
const [minAlone, maxShareAlone] = [5, 1 / 50];

/** An error of the service itself. With 503 it says that it has too much to do. */
const isError = ({ status }: Exchange) => status !== null && status >= 500 && status !== 503;

/** The record, whoever asks for whatever about it. */
const recordOf = ({ params: { labelId: _, ...record } }: Exchange) => JSON.stringify(Object.values(record));

/** Exchanges about a record that another one about it overlaps. */
const overlapping = once(({ exchanges }): ReadonlySet<Exchange> => {
  const ofRecords = [...Map.groupBy(exchanges, recordOf).entries()].filter(([record]) => record !== '[]');
  return new Set(
    ofRecords.flatMap(([, group]) =>
      group.filter((one) =>
        group.some((other) => other !== one && other.sentAt < one.doneAt && one.sentAt < other.doneAt),
      ),
    ),
  );
});

/** Operations that fail where two requests are about one record at the same time, and hardly otherwise. */
export function failingAtOnce(lawful: readonly Exchange[], history: History): Breach[] {
  return [...Map.groupBy(lawful, ({ operation }) => operation as OperationId)].flatMap(
    ([operation, group]): Breach[] => {
      const together = group.filter((one) => overlapping(history).has(one));
      const alone = group.filter((one) => !overlapping(history).has(one));
      const errors = together.filter(isError);
      const few = alone.filter(isError);
      const moments = errors.filter(
        ({ sentAt }, i) => sentAt - (errors[i - 1]?.sentAt ?? Number.NEGATIVE_INFINITY) > apart,
      );
      const [first] = errors;
      if (first === undefined || errors.length < minErrors || moments.length < minMoments) return [];
      if (errors.length < together.length * minShare || alone.length < minAlone) return [];
      if (few.length > alone.length * maxShareAlone) return [];
      return [
        {
          exchange: first,
          expected: `${lineOf(first)} to be answered, whatever else is asked about this record at the same time`,
          observed: `${first.status}, as in ${errors.length} of ${together.length} requests for ${operation} that came together with another, and in ${few.length} of ${alone.length} that came alone`,
          with: errors.slice(1, 3),
        },
      ];
    },
  );
}
