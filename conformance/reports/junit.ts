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
    .map(({ id, state, reason, owner, expires }): TestCase => {
      const message = `${state}: ${reason} (${owner}, until ${expires})`;
      return { suite: 'waivers', name: id, status: 'failure', message };
    });
  const cut: TestCase = { suite: 'run', name: 'came to its end', status: 'error', message: report.sentence };
  return junitOf(`conformance of ${report.target.baseUrl}`, report, [
    ...report.rows.map((row) => caseOf(report, row)),
    ...waivers,
    ...(report.interrupted || report.blocked !== undefined ? [cut] : []),
  ]);
}

/** What JUnit says of a row. */
export type CaseStatus = 'passed' | 'failure' | 'error' | 'skipped';

interface TestCase {
  readonly suite: string;
  readonly name: string;
  readonly status: CaseStatus;
  readonly message: string;
  /** Of a failure or an error. */
  readonly type?: string;
  readonly details?: readonly string[];
}

/** JUnit XML of these cases, in suites. */
export function junitOf(
  name: string,
  { startedAt, durationMilliseconds }: Pick<Report, 'startedAt' | 'durationMilliseconds'>,
  cases: readonly TestCase[],
): string {
  const suites = [...Map.groupBy(cases, ({ suite }) => suite)].map(([suite, some]) =>
    element('testsuite', { name: suite, ...totals(some), timestamp: startedAt }, some.map(testcase)),
  );
  const all = { name, ...totals(cases), time: (durationMilliseconds / 1000).toFixed(3) };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', all, suites)}\n`;
}

const statusOf = ({ outcome, waived, rule }: ReportRow, { verdict, mustRules }: Report): CaseStatus => {
  if (waived) return 'skipped';
  if (outcome === 'fail') return 'failure';
  const documentedMust = rule.level === 'must' && rule.provenance === 'documented';
  const onlyNotRun = verdict === 'incomplete' && mustRules.inconclusive + mustRules.error === 0;
  const isOpen = ['inconclusive', 'error'].includes(outcome) || (outcome === 'not-run' && onlyNotRun);
  if (documentedMust && isOpen) return 'error';
  return ['inconclusive', 'error', 'not-run', 'not-selected'].includes(outcome) ? 'skipped' : 'passed';
};

function caseOf(report: Report, row: ReportRow): TestCase {
  const { area, waived, rule, outcome, applied, broken, message } = row;
  const status = statusOf(row, report);
  const before = [
    ...(status === 'passed' ? [message] : []),
    `rule: ${rule.text}`,
    ruleWords(row),
    `outcome: ${outcome}`,
    `applied to ${applied}, broken in ${broken}`,
  ];
  return rowCase(report, row, area, status, before, [], waived ? `waived: ${message}` : message);
}

/** A row with its evidence, between further lines. */
export const rowCase = (
  report: Pick<Report, 'exchanges'>,
  row: Pick<ReportRow, 'id' | 'title' | 'outcome' | 'message' | 'breaches'>,
  suite: string,
  status: CaseStatus,
  before: readonly string[],
  after: readonly string[],
  message = row.message,
): TestCase => ({
  ...{ suite, status, message },
  name: `${row.id}: ${row.title}`,
  type: row.outcome,
  details: [...before, ...traceOf(report, row), ...after],
});

/** An XML element. Attributes are escaped; `inside` must be XML already. */
function element(name: string, attributes: Readonly<Record<string, string | number>>, inside: readonly string[]) {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${xml(String(value))}"`);
  const start = `<${name}${written.join('')}`;
  return inside.length === 0 ? `${start}/>` : `${start}>${inside.join('\n')}</${name}>`;
}

function testcase({ suite: classname, name, status, message, type, details = [] }: TestCase): string {
  const text = details.length === 0 ? [] : [xml(details.join('\n'))];
  const inside =
    status === 'passed'
      ? element('system-out', {}, text)
      : element(status, { message, ...(type && status !== 'skipped' && { type }) }, text);
  return element('testcase', { classname, name }, [inside]);
}

/** Escaped, and without characters that XML 1.0 forbids: control characters and lone surrogates. */
const xml = (text: string) => escaped(text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, ''));

/** The counts of a suite. */
function totals(cases: readonly TestCase[]) {
  const having = (status: CaseStatus) => cases.filter((one) => one.status === status).length;
  return { tests: cases.length, failures: having('failure'), errors: having('error'), skipped: having('skipped') };
}
