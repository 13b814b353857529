import { isDeepStrictEqual } from 'node:util';
import { mapValues } from '../../../spec/text/map-values.ts';
import { idInOtherCase } from '../../../spec/text/other-case.ts';
import type { Ask } from './situation.ts';

/** The whole id in capitals, or with a zero before it if it is a number. */
const inCapitals = (id: string) => (/^\d+$/.test(id) ? `0${id}` : id.toUpperCase());

/** Ids with the letters of their UUIDs in the other case, and all in capitals or with a zero before a number. Some deployments look them up without the tenant. */
export function inOtherCase(params: Readonly<Record<string, string>>): readonly Readonly<Record<string, string>>[] {
  const changed = mapValues(params, idInOtherCase);
  const all = mapValues(params, inCapitals);
  return [changed, all].filter(
    (one, i) => !isDeepStrictEqual(one, params) && !(i > 0 && isDeepStrictEqual(one, changed)),
  );
}

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

/** A body where none is needed. */
export const unneededBody: Partial<Ask> = {
  body: {},
  chunked: true,
  headers: { 'content-type': 'application/json; charset=utf-8' },
};

/** The same request in other spellings. A check of permissions may overlook what the service then carries out. */
export const spellingsOf = (ask: Ask): readonly Ask[] => [
  ...inOtherCase(ask.params ?? {}).map((params) => ({ ...ask, params })),
  ...(ask.params ? [{ ...ask, encoded: true as const, twist: 'path/encoded-ids' }] : []),
  { ...ask, query: '?include=all', twist: 'query/any' },
];
