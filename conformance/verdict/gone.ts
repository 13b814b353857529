/** Records, labels and scopes of keys that somebody takes away while a run goes on. */
import { isOperationId, type OperationId, operations } from '../../spec/operations.ts';
import { type Exchange, succeeded } from '../history/exchange.ts';
import { outageFailures } from '../numbers.ts';

/** What a request needs: the record and the label that it names, or it is not found, and the scopes of its key, or it is forbidden. */
const needsOf = ({ operation, key, params: { labelId = '', ...record } = {} }: Exchange): Record<number, string[]> => ({
  404: [Object.values(record).join(' '), labelId].map((one) => one.toLowerCase()),
  403: isOperationId(operation ?? '') ? operations[operation as OperationId].scopes.map((one) => `${key} ${one}`) : [],
});

const refusalOf = ({ status }: Exchange): number => (status === 410 ? 404 : (status ?? 0));

/**
 * Whether this was there before, and no operation finds it, of two at least that found it. What is there again later was gone only if so many in a
 * row did not find it that chance does not do it.
 */
function isGone(thing: string, refusal: number, { key, sentAt }: Exchange, exchanges: readonly Exchange[]): boolean {
  const tenantOf = (name: string | null) => name?.split('/')[0];
  const own = exchanges.filter((one) => tenantOf(one.key) === tenantOf(key) && needsOf(one)[refusal]?.includes(thing));
  const served = own.filter(succeeded);
  const from = Math.max(...served.flatMap(({ doneAt }) => (doneAt <= sentAt ? [doneAt] : [])));
  const to = Math.min(...served.flatMap((one) => (one.doneAt > sentAt ? [one.sentAt] : [])));
  const kindOf = ({ key, facts }: Exchange) => JSON.stringify([key, facts]);
  const found = new Set(served.map(kindOf));
  const lost = own.filter(
    (one) => one.sentAt > from && one.sentAt < to && refusalOf(one) === refusal && found.has(kindOf(one)),
  );
  const isEnough = to === Number.POSITIVE_INFINITY || lost.length >= outageFailures;
  return sentAt > from && sentAt < to && isEnough && new Set(lost.map(({ operation }) => operation)).size > 1;
}

/** Whether a record or a label was deleted when this was asked. */
export const isDeleted = (thing: string, one: Exchange, exchanges: readonly Exchange[]): boolean =>
  isGone(thing.toLowerCase(), 404, one, exchanges);

/** Whether a request is refused because what it needs is gone. */
export const isOfGone = (one: Exchange, exchanges: readonly Exchange[]): boolean =>
  (needsOf(one)[refusalOf(one)] ?? []).some((thing) => thing !== '' && isGone(thing, refusalOf(one), one, exchanges));
