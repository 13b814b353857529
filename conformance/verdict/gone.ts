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
 * row did not find it that chance does not do it. `isBack`: it is there again later.
 */
function goneAs(thing: string, refusal: number, { key, sentAt }: Exchange, exchanges: readonly Exchange[]) {
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
  const isBack = to < Number.POSITIVE_INFINITY;
  const isEnough = !isBack || lost.length >= outageFailures;
  const isGone = sentAt > from && sentAt < to && isEnough && new Set(lost.map(({ operation }) => operation)).size > 1;
  return isGone ? { thing, isBack } : null;
}

/** Whether a label was deleted when this was asked; null where it was not. */
export const deletedLabel = (label: string, one: Exchange, exchanges: readonly Exchange[]) =>
  goneAs(label.toLowerCase(), 404, one, exchanges);

/** What a request needs and is gone, where it is refused for that; null where nothing is gone. */
export const goneFor = (one: Exchange, exchanges: readonly Exchange[]) =>
  (needsOf(one)[refusalOf(one)] ?? [])
    .map((thing) => (thing === '' ? null : goneAs(thing, refusalOf(one), one, exchanges)))
    .find((gone) => gone !== null) ?? null;

/** What people read of a record or a label that is gone for good. */
export const goneWords = ({ thing }: { readonly thing: string }) => `${thing} is gone since then: give another`;
