import type { Report, ReportExchange, ReportRow } from './report-schema.ts';

/** A breach together with its exchanges, which a row names only by number. */
export interface Evidence {
  readonly expected: string;
  readonly observed: string;
  readonly exchange: ReportExchange;
  /** Further exchanges that are needed to understand the breach, in the order of sending. */
  readonly others: readonly ReportExchange[];
  /** `8 of 8, without the request 0 of 8`; null where it was not repeated. */
  readonly counted: string | null;
}

/** The breaches that a report shows for a row. */
export function evidenceOf(
  { exchanges }: Pick<Report, 'exchanges'>,
  { breaches }: Pick<ReportRow, 'breaches'>,
): Evidence[] {
  const byNumber = new Map(exchanges.map((exchange) => [exchange.n, exchange]));
  return breaches.flatMap(({ exchange: n, expected, observed, with: numbers, counts }) => {
    const exchange = byNumber.get(n);
    if (exchange === undefined) return [];
    const others = numbers.flatMap((number) => byNumber.get(number) ?? []);
    return [{ expected, observed, exchange, others, counted: counts ? countWords(counts) : null }];
  });
}

/** @param counts of a trial */
const countWords = ({ shown, of, beside, controls }: NonNullable<ReportRow['breaches'][number]['counts']>): string =>
  `${shown} of ${of}, without the request ${beside} of ${controls}`;

/** `labels/apply-adds, section Labels, documented, must` */
export const ruleWords = ({ rule: { id, section, provenance, level } }: Pick<ReportRow, 'rule'>): string =>
  `${id}, section ${section}, ${provenance}, ${level}`;

/** Rows have one cause where their first breaches are told in the same words, of the same operation. In the order of the rows. */
export function byCause(
  { exchanges }: Pick<Report, 'exchanges'>,
  rows: readonly ReportRow[],
): (readonly ReportRow[])[] {
  const operations = new Map(exchanges.map(({ n, operationId, method }) => [n, operationId ?? method]));
  const causeOf = ({ id, outcome, breaches: [first] }: ReportRow) =>
    first === undefined
      ? id
      : JSON.stringify([outcome, first.expected, first.observed, operations.get(first.exchange)]);
  return [...Map.groupBy(rows, causeOf).values()];
}
