import { counted } from '../counted.ts';
import { countWords } from '../experiments/trial.ts';
import type { Report, ReportExchange, ReportRow } from './report-schema.ts';

/** A breach together with its exchanges, which a row names only by number. */
export interface Evidence {
  readonly expected: string;
  readonly observed: string;
  readonly exchange: ReportExchange;
  /** Further exchanges that are needed to understand the breach, in the order of sending. */
  readonly others: readonly ReportExchange[];
  /** What else is known of it. */
  readonly note: string | null;
  /** How often it was seen with and without the request; null where it was not repeated. */
  readonly counted: string | null;
}

/** The breaches that a report shows for a row. */
export function evidenceOf(
  { exchanges }: Pick<Report, 'exchanges'>,
  { breaches }: Pick<ReportRow, 'breaches'>,
): Evidence[] {
  const byNumber = new Map(exchanges.map((exchange) => [exchange.n, exchange]));
  return breaches.flatMap(({ exchange: n, expected, observed, note = null, with: numbers, counts }) => {
    const exchange = byNumber.get(n);
    if (exchange === undefined) return [];
    const others = numbers.flatMap((number) => byNumber.get(number) ?? []);
    return [{ expected, observed, exchange, others, note, counted: counts ? countWords(counts) : null }];
  });
}

/** Each breach in plain text, with the command that repeats its last request. */
export const traceOf = (report: Pick<Report, 'exchanges'>, row: Pick<ReportRow, 'breaches'>): string[] =>
  evidenceOf(report, row).map(
    ({ expected, observed, note, exchange }) =>
      `expected ${expected}; got ${observed}${note ? `; ${note}` : ''}\n${exchange.curl}`,
  );

/** `labels/apply-adds, section Labels, documented, must` */
export const ruleWords = ({ rule: { id, section, provenance, level } }: Pick<ReportRow, 'rule'>): string =>
  `${id}, section ${section}, ${provenance}, ${level}`;

/** Rows have one cause where their first breaches have the same words, or where the same requests break them. In the order of the rows. */
export function byCause(rows: readonly ReportRow[]): (readonly ReportRow[])[] {
  const causes = new Map<string, ReportRow[]>();
  for (const row of rows) {
    const { id, outcome, breaches, where = [] } = row;
    const [first] = breaches;
    // The reason behind a status is another for each rule.
    const expected = first?.expected.replace(/^(\d{3}) \(.*\)$/, '$1');
    const words = JSON.stringify(first === undefined ? id : [outcome, expected, first.observed]);
    // Trials are as many for each rule, so their counts say nothing.
    const places = JSON.stringify(where.length === 0 || first?.counts ? id : [outcome, where]);
    const cause = causes.get(words) ?? causes.get(places) ?? [];
    cause.push(row);
    causes.set(words, cause).set(places, cause);
  }
  // A wrong status explains what else the reply shows.
  const isStatus = ({ breaches: [first] }: ReportRow) => /^\d{3}\b/.test(first?.observed ?? '');
  return [...new Set(causes.values())].map((all) => all.toSorted((a, b) => Number(isStatus(b)) - Number(isStatus(a))));
}

/**
 * The cause that most others follow from: their scripts take for granted what it shows to be wrong. Null where there is none.
 * @param causes rows with one cause each
 */
export function rootOf(report: Pick<Report, 'exchanges'>, causes: readonly (readonly ReportRow[])[]) {
  const steps = causes.map((cause) => ({ cause, ...stepsOf(report, cause) }));
  const meet = (some: readonly string[], others: readonly string[]) => some.some((one) => others.includes(one));
  const counts = steps.map(({ cause, asked, granted }) => {
    const after = steps.filter(
      (other) => meet(other.granted, asked) && !meet(other.asked, asked) && !meet(other.asked, granted),
    );
    return { cause, after: after.length };
  });
  const root = counts.toSorted((a, b) => b.after - a.after)[0];
  return root !== undefined && root.after > 0 && root.after * 2 >= causes.length - 1 ? root.cause : null;
}

/** The requests in question of a cause, and those that put the record into its state before, by operation and record. */
function stepsOf(report: Pick<Report, 'exchanges'>, [row]: readonly ReportRow[]) {
  const [evidence] = row === undefined ? [] : evidenceOf(report, row);
  if (row === undefined || evidence === undefined) return { asked: [], granted: [] };
  const { exchange, others } = evidence;
  const { inQuestion = [exchange.n], sight } = row.breaches[0] ?? {};
  const isAsked = ({ n }: ReportExchange) => inQuestion.includes(n);
  const state = [...others, exchange].filter((one) => sight?.id === undefined || one.params?.labelId === sight.id);
  const last = sight === undefined ? state : state.slice(-1);
  const names = (some: readonly ReportExchange[]) =>
    some.map(({ operationId, params }) => JSON.stringify([operationId, { ...params, labelId: null }]));
  return { asked: names([...others, exchange].filter(isAsked)), granted: names(last.filter((one) => !isAsked(one))) };
}

/** `GET /v1/labels 277 times, PUT /v1/site/{id}/label/{labelId}, 5 more requests` */
export function whereWords(rows: readonly ReportRow[]): string {
  const counts = new Map<string, number>();
  // Where the same requests break several rules, each is one request.
  const different = new Map(rows.map(({ where = [] }) => [JSON.stringify(where), where]));
  for (const { request, broken } of [...different.values()].flat())
    counts.set(request, (counts.get(request) ?? 0) + broken);
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  const named = sorted.slice(0, maxPlaces).map(([request, times]) => `${request}${times > 1 ? ` ${times} times` : ''}`);
  const more = sorted.length - named.length;
  return [...named, ...(more > 0 ? [`${counted(more, 'more request')}`] : [])].join(', ');
}

const maxPlaces = 2;
