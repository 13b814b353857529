import { isDeepStrictEqual } from 'node:util';
import { mapValues } from '../../../spec/text/map-values.ts';
import { idInOtherCase } from '../../../spec/text/other-case.ts';
import type { Ask } from '../../client/ask.ts';
import type { Exchange } from '../../history/exchange.ts';

/** Ids with the letters of their UUIDs in the other case, if they have any. Some deployments look them up without the tenant. */
export const inOtherCase = (params: Ids): readonly Ids[] => changed(params, idInOtherCase);

/** Whole ids in capitals, and numbers with a zero before them. Only ids of clients have a documented form, which capitals would break. */
const inCapitals = (params: Ids): readonly Ids[] =>
  changed(params, (id) => (/^\d+$/.test(id) ? `0${id}` : id.startsWith('ovcid-') ? id : id.toUpperCase()));

type Ids = Readonly<Record<string, string>>;

const changed = (params: Ids, change: (id: string) => string): readonly Ids[] => {
  const ids = mapValues(params, change);
  return isDeepStrictEqual(ids, params) ? [] : [ids];
};

/**
 * Requests with what they do not need: other headers, or a query and encoded ids. What that means is not documented, so a deployment may
 * refuse such a request, but must not answer it wrongly.
 */
export const unusualWays = (secret: string): readonly [headers: Partial<Ask>, address: Partial<Ask>] => [
  {
    twist: 'unusual/headers',
    headers: { 'x-api-key': null, 'X-API-Key': secret, authorization: 'Bearer x', accept: '*/*;q=0.1' },
  },
  { twist: 'unusual/address', query: '?x=1', encoded: true },
];

/** Asks for a record only if it has changed since this reply; nothing where the reply has no ETag. */
export const ifChanged = (since: Pick<Exchange, 'headers'> | null | undefined): Partial<Ask> | undefined =>
  since?.headers.etag === undefined
    ? undefined
    : { headers: { 'if-none-match': since.headers.etag }, twist: 'header/if-none-match' };

/** A body where none is needed. */
export const unneededBody: Partial<Ask> = {
  body: {},
  chunked: true,
  headers: { 'content-type': 'application/json; charset=utf-8' },
};

/** Other addresses of the same request. */
export const otherAddresses = [
  { encoded: true, twist: 'path/encoded-ids' },
  { query: '?include=all', twist: 'query/any' },
] as const satisfies readonly Partial<Ask>[];

/** The same request in other spellings. A check of permissions may overlook what the service then carries out. */
export const spellingsOf = (ask: Ask): readonly Ask[] => [
  ...inOtherCase(ask.params ?? {}).map((params) => ({ ...ask, params })),
  ...inCapitals(ask.params ?? {}).map((params) => ({ ...ask, params, twist: 'path/ids-in-capitals' })),
  ...otherAddresses.slice(ask.params ? 0 : 1).map((address) => ({ ...ask, ...address })),
];
