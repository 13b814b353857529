import { escaped } from '../../../spec/text/escaped-html.ts';
import { traceOf } from '../evidence-of.ts';
import type { Report, ReportRow } from '../report-schema.ts';

/** An XML element. Attributes are escaped; `inside` must be XML already. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  inside: readonly string[],
) {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${xml(String(value))}"`);
  const start = `<${name}${written.join('')}`;
  return inside.length === 0 ? `${start}/>` : `${start}>${inside.join('\n')}</${name}>`;
}

/** A duration as JUnit writes it. */
export const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(3);

/** Escaped, and without characters that XML 1.0 forbids: control characters and lone surrogates. */
const xml = (text: string) => escaped(text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, ''));

/** What JUnit says of a row. */
export type CaseStatus = 'passed' | 'failure' | 'error' | 'skipped';

/** The counts of a suite. */
export function totals(statuses: readonly CaseStatus[]) {
  const having = (status: CaseStatus) => statuses.filter((one) => one === status).length;
  return { tests: statuses.length, failures: having('failure'), errors: having('error'), skipped: having('skipped') };
}

interface TestCase {
  readonly classname: string;
  readonly status: CaseStatus;
  readonly message: string;
  /** Further lines, around the evidence. */
  readonly before: readonly string[];
  readonly after?: readonly string[];
}

/** A row with its evidence. */
export function testcase(
  report: Pick<Report, 'exchanges'>,
  row: Pick<ReportRow, 'id' | 'title' | 'outcome' | 'breaches'>,
  { classname, status, message, before, after = [] }: TestCase,
): string {
  const details = xml([...before, ...traceOf(report, row), ...after].join('\n'));
  const inside =
    status === 'passed'
      ? element('system-out', {}, [details])
      : element(status, { message, ...(status !== 'skipped' && { type: row.outcome }) }, [details]);
  return element('testcase', { classname, name: `${row.id}: ${row.title}` }, [inside]);
}
