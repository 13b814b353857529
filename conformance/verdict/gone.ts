/** Records and labels that somebody deletes while a run goes on. */
import { type Exchange, succeeded } from '../history/exchange.ts';

/** The record and the label that a request names. */
const thingsOf = ({ params: { labelId = '', ...record } = {} }: Exchange) =>
  [Object.values(record).join(' '), labelId].map((one) => one.toLowerCase());

const isNotFound = ({ status }: Exchange) => status === 404 || status === 410;

/** Whether this was there, and since then no operation finds it any more that found it before, of two at least. */
export function isDeleted(thing: string, { key, sentAt }: Exchange, exchanges: readonly Exchange[]): boolean {
  const tenantOf = (name: string | null) => name?.split('/')[0];
  const own = exchanges.filter((one) => tenantOf(one.key) === tenantOf(key) && thingsOf(one).includes(thing));
  const served = own.filter(succeeded);
  const last = Math.max(...served.map(({ doneAt }) => doneAt));
  const kindOf = ({ key, facts }: Exchange) => JSON.stringify([key, facts]);
  const found = new Set(served.map(kindOf));
  const lost = own.filter((one) => one.sentAt > last && isNotFound(one) && found.has(kindOf(one)));
  return sentAt > last && new Set(lost.map(({ operation }) => operation)).size > 1;
}

/** Whether a request is refused because what it names was deleted. */
export const isOfDeleted = (one: Exchange, exchanges: readonly Exchange[]): boolean =>
  isNotFound(one) && thingsOf(one).some((thing) => thing !== '' && isDeleted(thing, one, exchanges));
