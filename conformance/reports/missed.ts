import type { ReportRow } from './report-schema.ts';

/** What would have been seen, of one rule. */
export const shareWords = (share: number): string => `with 95%, a fault in ${percent(share)} of what was judged`;

const percent = (share: number): string => {
  const value = share * 100;
  return `${value >= 10 ? Math.round(value) : Number(value.toPrecision(2))}%`;
};

/** Rules of which only a fault in so many replies would surely be seen are named. */
const large = 0.3;
/** And so many of them. */
const maxNamed = 4;

/** What a run can see: the smallest share of wrong replies that it would have missed with less than 5%, over all rules that it found kept. */
export function missedWords(rows: readonly Pick<ReportRow, 'id' | 'smallestShare'>[]): string {
  const shares = rows.flatMap(({ id, smallestShare: share }) => (share === undefined ? [] : [{ id, share }]));
  if (shares.length === 0) return 'no rule was found kept';
  const sorted = shares.toSorted((a, b) => a.share - b.share);
  const middle = sorted[Math.floor(sorted.length / 2)]?.share ?? 1;
  const blind = sorted.filter(({ share }) => share > large).reverse();
  const named = blind.slice(0, maxNamed).map(({ id, share }) => `${id} ${percent(share)}`);
  const more = blind.length > maxNamed ? `, and ${blind.length - maxNamed} more` : '';
  const rest = blind.length === 0 ? '' : `; only larger ones of ${named.join(', ')}${more}`;
  return `a fault in ${percent(middle)} of replies would be seen with 95% for half of the rules${rest}`;
}
