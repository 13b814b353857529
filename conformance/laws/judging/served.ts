import { operations } from '../../../spec/operations.ts';
import { type Exchange, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { askedBy } from './asked.ts';
import { once } from './law.ts';

/** The request is lawful: in order as it is, or for a spelling that the standards allow. */
export function isLawful(exchange: Exchange, history: History): boolean {
  const { twist } = exchange;
  return askedBy(twist?.startsWith('legal/') ? plain(exchange) : exchange, history).lawful;
}

const plains = new WeakMap<Exchange, Exchange>();

/** The exchange as if nothing about its request were unusual. */
function plain(exchange: Exchange): Exchange {
  const known = plains.get(exchange) ?? { ...exchange, twist: null };
  plains.set(exchange, known);
  return known;
}

/** An answer that says something about the request: not 5xx, not that it is not the time. */
export const answered = ({ status }: Pick<Exchange, 'status'>): boolean =>
  status !== null && status !== 429 && status < 500;

/** Operations that have succeeded in this run: where they are, and with which scopes, is beyond doubt. */
const servedIn = once(
  ({ exchanges }: History): ReadonlySet<Exchange['operation']> =>
    new Set(exchanges.filter(succeeded).map(({ operation }) => operation)),
);

/**
 * Whether a refusal of a lawful request is the operation's own word. Where the specification shows neither method and path nor
 * scopes, a router or a gateway may have said it of an operation that is somewhere else, or needs another scope.
 */
export function isOperationsOwn({ operation, status }: Exchange, history: History): boolean {
  if (operation === null || operation === 'storage') return false;
  if (servedIn(history).has(operation)) return true;
  const { provenance } = operations[operation];
  if (status === 404 || status === 405) return provenance.path === 'documented' && provenance.method === 'documented';
  return status !== 403 || provenance.scopes === 'documented';
}

/** What was asked, without the address of the service: `GET /v1/labels`. */
export const lineOf = ({ method, url }: Exchange): string => `${method} ${pathOf(url)}`;

function pathOf(url: string): string {
  const path = /^[a-z]+:\/\/[^/?]+(.*)$/i.exec(url)?.[1] ?? url;
  return path.length > 160 ? `${path.slice(0, 160)}…` : path;
}

/** A status in words, with what came with it where that is short. */
export function statusWords({ status, body }: Exchange): string {
  const text = (body ?? '').trim().replace(/\s+/g, ' ');
  return text === '' ? `${status}` : `${status} ${text.length > 120 ? `${text.slice(0, 120)}…` : text}`;
}
