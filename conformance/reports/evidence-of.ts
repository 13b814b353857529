import type { LabelHistory, Report, ReportExchange, ReportRow } from './report-schema.ts';

/** One shown breach with the exchanges that tell of it. */
export interface Evidence {
  readonly expected: string;
  readonly observed: string;
  readonly exchange: ReportExchange;
  /** Needed to understand it, in the order of sending. */
  readonly others: readonly ReportExchange[];
  /** What happened to the labels of the record that it is about. */
  readonly labels?: LabelHistory;
}

/** The breaches of a row that a report shows. */
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
