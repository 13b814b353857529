import { operations } from '../../../spec/operations.ts';
import { type Exchange, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { perObject } from '../../per-object.ts';
import { askedBy } from './asked.ts';
import { once } from './law.ts';
import { shortened } from './shortened.ts';

/** Twists that leave a request lawful: unusual spellings that HTTP allows, and bodies of an ordinary size. */
const lawfulTwist = /^(legal\/|size\/small-)/;

/** Whether the request is lawful. */
export function isLawful(exchange: Exchange, history: History): boolean {
  const { twist } = exchange;
  return askedBy(twist !== null && lawfulTwist.test(twist) ? untwisted(exchange) : exchange, history).lawful;
}

/** The exchange without its twist. The copies are cached, because askedBy caches by exchange. */
const untwisted = perObject((exchange: Exchange): Exchange => ({ ...exchange, twist: null }));

/** Whether the deployment answered the request itself: no 5xx, and no 429. */
export const answered = ({ status }: Pick<Exchange, 'status'>): boolean =>
  status !== null && status !== 429 && status < 500;

/** Operations that succeeded in this run, so their addresses are right. */
const servedIn = once(
  ({ exchanges }: History): ReadonlySet<Exchange['operation']> =>
    new Set(exchanges.filter(succeeded).map(({ operation }) => operation)),
);

/**
 * Whether a refusal of a lawful request surely comes from the operation. If its method, path or scopes are not documented, a router may
 * refuse because the operation is elsewhere, or a gateway because it needs another scope.
 */
export function isOperationsOwn({ operation, status }: Exchange, history: History): boolean {
  if (operation === null || operation === 'storage') return false;
  if (servedIn(history).has(operation)) return true;
  const { provenance } = operations[operation];
  if (status === 404 || status === 405) return provenance.path === 'documented' && provenance.method === 'documented';
  return status !== 403 || provenance.scopes === 'documented';
}

/** The request line without the address of the deployment: `GET /v1/labels`. */
export const lineOf = ({ method, url }: Exchange): string => `${method} ${pathOf(url)}`;

function pathOf(url: string): string {
  const path = /^[a-z]+:\/\/[^/?]+(.*)$/i.exec(url)?.[1] ?? url;
  return path.length > 160 ? `${path.slice(0, 160)}…` : path;
}

/** The status with the beginning and the end of the body. */
export function statusWords({ status, body }: Exchange): string {
  const text = (body ?? '').trim().replace(/\s+/g, ' ');
  return text === '' ? `${status}` : `${status} ${shortened(text, 120)}`;
}
