import type { LabelHistory, Report, ReportExchange, ReportRow } from './report-schema.ts';

/** A breach together with its exchanges, which a row names only by number. */
export interface Evidence {
  readonly expected: string;
  readonly observed: string;
  readonly exchange: ReportExchange;
  /** Further exchanges that are needed to understand the breach, in the order of sending. */
  readonly others: readonly ReportExchange[];
  /** What happened to the labels of the record that the breach is about. */
  readonly labels?: LabelHistory;
}

/** The breaches that a report shows for a row. */
export function evidenceOf(
  { exchanges }: Pick<Report, 'exchanges'>,
  { breaches }: Pick<ReportRow, 'breaches'>,
): Evidence[] {
  const byNumber = new Map(exchanges.map((exchange) => [exchange.n, exchange]));
  return breaches.flatMap(({ exchange: n, expected, observed, with: numbers, labels }) => {
    const exchange = byNumber.get(n);
    if (exchange === undefined) return [];
    const others = numbers.flatMap((number) => byNumber.get(number) ?? []);
    return [{ expected, observed, exchange, others, ...(labels && { labels }) }];
  });
}

/** `labels/apply-adds, section Labels, documented, must` */
export const ruleWords = ({ rule: { id, section, provenance, level } }: Pick<ReportRow, 'rule'>): string =>
  `${id}, section ${section}, ${provenance}, ${level}`;
