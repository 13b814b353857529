import { escaped } from '../../spec/report-page/markup.ts';
import { ruleWords, traceOf } from './failures.ts';
import type { Report, ReportRow } from './report-schema.ts';

/**
 * JUnit XML with a suite per area. Failures and errors agree with the verdict: a broken must is a failure, and a documented must that could
 * not be judged is an error, as is a run that was interrupted. A documented must that did not run is an error only where nothing else makes
 * the run incomplete. Everything else that was not judged is skipped.
 */
export function junitReport(report: Report): string {
  const waivers = report.waivers
    .filter(({ state }) => state === 'expired' || state === 'not-needed')
    .map((waiver) => {
      const text = `${waiver.state}: ${waiver.reason} (${waiver.owner}, until ${waiver.expires})`;
      return element('testcase', { classname: 'waivers', name: waiver.id }, [
        element('failure', { message: text }, []),
      ]);
    });
  const cut = element('testcase', { classname: 'run', name: 'came to its end' }, [
    element('error', { message: report.sentence }, []),
  ]);
  const more: Suite[] = [
    { name: 'waivers', status: 'failure', cases: waivers },
    { name: 'run', status: 'error', cases: report.interrupted || report.blocked !== undefined ? [cut] : [] },
  ];
  return junitOf(`conformance of ${report.target.baseUrl}`, report, ({ area }) => area, statusOf, caseOf, more);
}

/** What is no row. */
interface Suite {
  readonly name: string;
  /** Of each case. */
  readonly status: CaseStatus;
  readonly cases: readonly string[];
}

type WithRows<Row> = Pick<Report, 'startedAt' | 'durationMilliseconds'> & { readonly rows: readonly Row[] };

/** JUnit XML of all rows of a report, in suites. @param more further suites */
export function junitOf<Row, Whole extends WithRows<Row>>(
  name: string,
  report: Whole,
  suiteOf: (row: Row) => string,
  statusOf: (row: Row, report: Whole) => CaseStatus,
  caseOf: (report: Whole, row: Row) => string,
  more: readonly Suite[] = [],
): string {
  const statusesOf = (rows: readonly Row[]) => rows.map((row) => statusOf(row, report));
  const suites = [...Map.groupBy(report.rows, suiteOf)].map(([name, rows]) =>
    element(
      'testsuite',
      { name, ...totals(statusesOf(rows)), timestamp: report.startedAt },
      rows.map((row) => caseOf(report, row)),
    ),
  );
  const others = more
    .filter(({ cases }) => cases.length > 0)
    .map((one) => ({ ...one, statuses: one.cases.map(() => one.status) }));
  for (const { name, cases, statuses } of others)
    suites.push(element('testsuite', { name, ...totals(statuses) }, cases));
  const all = {
    name,
    ...totals([...statusesOf(report.rows), ...others.flatMap(({ statuses }) => statuses)]),
    time: (report.durationMilliseconds / 1000).toFixed(3),
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', all, suites)}\n`;
}

const statusOf = ({ outcome, waived, rule }: ReportRow, { verdict, mustRules }: Report): CaseStatus => {
  if (waived) return 'skipped';
  if (outcome === 'fail') return 'failure';
  const documentedMust = rule.level === 'must' && rule.provenance === 'documented';
  const onlyNotRun = verdict === 'incomplete' && mustRules.inconclusive + mustRules.error === 0;
  if (documentedMust && (outcome === 'inconclusive' || outcome === 'error')) return 'error';
  if (documentedMust && outcome === 'not-run' && onlyNotRun) return 'error';
  return ['inconclusive', 'error', 'not-run', 'not-selected'].includes(outcome) ? 'skipped' : 'passed';
};

function caseOf(report: Report, row: ReportRow): string {
  const { area, waived, rule, outcome, applied, broken } = row;
  const status = statusOf(row, report);
  const message = waived ? `waived: ${row.message}` : row.message;
  return testcase(report, row, {
    classname: area,
    status,
    message,
    before: [
      ...(status === 'passed' ? [row.message] : []),
      `rule: ${rule.text}`,
      ruleWords(row),
      `outcome: ${outcome}`,
      `applied to ${applied}, broken in ${broken}`,
    ],
  });
}

/** An XML element. Attributes are escaped; `inside` must be XML already. */
function element(name: string, attributes: Readonly<Record<string, string | number>>, inside: readonly string[]) {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${xml(String(value))}"`);
  const start = `<${name}${written.join('')}`;
  return inside.length === 0 ? `${start}/>` : `${start}>${inside.join('\n')}</${name}>`;
}

/** Escaped, and without characters that XML 1.0 forbids: control characters and lone surrogates. */
const xml = (text: string) => escaped(text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, ''));

/** What JUnit says of a row. */
export type CaseStatus = 'passed' | 'failure' | 'error' | 'skipped';

/** The counts of a suite. */
function totals(statuses: readonly CaseStatus[]) {
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
