import { succeeded } from '../conformance/history/exchange.ts';
import type { Difference } from './alike.ts';
import type { Replayed } from './replay.ts';

/**
 * One way in which replies of the mock differ from recorded ones, with all replies that show it: the same difference of the same operation, or of what
 * the mock refuses for the same reason.
 */
export interface Way extends Difference {
  /** Null for a path or method that no operation has. */
  readonly operation: Replayed['exchange']['operation'];
  /** Why the mock refused. */
  readonly refused: Replayed['refused'];
  readonly shownBy: readonly [Replayed, ...Replayed[]];
}

/** All ways, the most frequent first. */
export function waysIn(replayed: readonly Replayed[]): Way[] {
  const ways = new Map<string, Way & { readonly shownBy: [Replayed, ...Replayed[]] }>();
  for (const one of replayed)
    for (const difference of one.differences) {
      const { refused, exchange } = one;
      // A header is one of all successes, or of all refusals.
      const isHeader = difference.at.startsWith('header ');
      const about = isHeader ? succeeded(exchange) : (refused ?? exchange.operation);
      const key = JSON.stringify([about, difference]);
      const way = ways.get(key);
      if (way !== undefined) way.shownBy.push(one);
      else ways.set(key, { ...difference, operation: exchange.operation, refused, shownBy: [one] });
    }
  return [...ways.values()].sort((a, b) => b.shownBy.length - a.shownBy.length);
}

/** What a way is about: an operation, or what the mock refuses. */
export const subjectOf = ({ operation, refused, shownBy }: Way): string => {
  const all = [...new Set(shownBy.map(({ exchange }) => exchange.operation ?? noOperation))];
  const more = all.length > 1 ? ` and ${all.length - 1} more` : '';
  return `${operation ?? noOperation}${more}${refused === null ? '' : ` (${refused})`}`;
};

/** A path or method that no operation has. */
export const noOperation = 'no operation';

/** A way in a sentence, without its operation. */
export function inWords({ at, what, recorded, mock }: Difference): string {
  const place = at.replace(/^header /, 'the header ');
  if (what === 'status') return `recorded ${recorded}, mock ${mock}`;
  if (what === 'missing' && at.endsWith('[]')) return `${place.slice(0, -2)} has fewer items in the mock`;
  if (what === 'more' && at.endsWith('[]')) return `${place.slice(0, -2)} has more items in the mock`;
  if (what === 'missing') return `${place} (${recorded}) is not in the mock`;
  if (what === 'more') return `${place} (${mock}) is only in the mock`;
  if (what === 'id') return `${place} stands for another record than before`;
  return `${place}: recorded ${recorded}, mock ${mock}`;
}
