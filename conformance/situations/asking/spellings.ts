import { isDeepStrictEqual } from 'node:util';
import { mapValues } from '../../../spec/text/map-values.ts';
import { idInOtherCase } from '../../../spec/text/other-case.ts';
import type { Ask } from './situation.ts';

/** Ids with the letters of their UUIDs in the other case, if they have any. Some deployments look them up without the tenant. */
export function inOtherCase(params: Readonly<Record<string, string>>): readonly Readonly<Record<string, string>>[] {
  const changed = mapValues(params, idInOtherCase);
  return isDeepStrictEqual(changed, params) ? [] : [changed];
}

/** The same request in other spellings. A check of permissions may overlook what the service then carries out. */
export const spellingsOf = (ask: Ask): readonly Ask[] => [
  ...inOtherCase(ask.params ?? {}).map((params) => ({ ...ask, params })),
  ...(ask.params ? [{ ...ask, encoded: true as const, twist: 'path/encoded-ids' }] : []),
  { ...ask, query: '?include=all', twist: 'query/any' },
];
