import { type Exchange, jsonOf, succeeded } from '../history/exchange.ts';
import { tokensIn, type View } from './places.ts';

/** How the labels in a reply differ from what they must be. */
export interface Difference {
  readonly what: 'missing' | 'extra' | 'twice' | 'unreadable';
  /** The id of a spare label; `foreign`: labels that others put on; null where none is meant. */
  readonly label: string | null;
}

/** The name of a difference, by which trials count it. */
export const signOf = ({ what, label }: Difference): string => (label === null ? what : `${what} ${label}`);

/** What a reply shows of the labels of a record. */
interface Reading {
  /** Ids of the spare labels that it shows. */
  readonly own: ReadonlySet<string>;
  /** Tokens of all other labels. */
  readonly foreign: ReadonlySet<string>;
  readonly isTwice: boolean;
}

/** Null where the reply is no success, or shows no list there. */
export function readingOf(view: View, exchange: Exchange): Reading | null {
  if (!succeeded(exchange)) return null;
  const tokens = tokensIn(view, jsonOf(exchange));
  if (tokens === null) return null;
  const own = [...view.tokens].flatMap(([id, token]) => (tokens.includes(token) ? [id] : []));
  const named = new Set(view.tokens.values());
  return {
    own: new Set(own),
    foreign: new Set(tokens.filter((token) => !named.has(token))),
    isTwice: new Set(tokens).size < tokens.length,
  };
}

/**
 * @param carries ids of the spare labels that the record must carry
 * @param before tokens of the other labels when the record was last seen; null where it was not
 */
export function differencesOf(
  reading: Reading,
  view: View,
  carries: readonly string[],
  before: ReadonlySet<string> | null,
): Difference[] {
  const { own, foreign, isTwice } = reading;
  const differences: Difference[] = [...view.tokens.keys()].flatMap((label) => {
    const must = carries.includes(label);
    return must === own.has(label) ? [] : [{ what: must ? ('missing' as const) : ('extra' as const), label }];
  });
  if (isTwice) differences.push({ what: 'twice', label: null });
  if (before !== null && [...before].some((token) => !foreign.has(token)))
    differences.push({ what: 'missing', label: 'foreign' });
  if (before !== null && [...foreign].some((token) => !before.has(token)))
    differences.push({ what: 'extra', label: 'foreign' });
  return differences;
}
