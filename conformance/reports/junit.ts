import { evidenceOf } from './evidence-of.ts';
import { element, seconds, xml } from './markup/junit-markup.ts';
import type { Report, ReportRow } from './report-schema.ts';

/**
 * JUnit XML with a suite per area. Failures and errors agree with the verdict: a broken must is a failure, and a documented must that could
 * not be judged is an error. A documented must that did not run is an error only where nothing else makes the run incomplete. Everything
 * else that was not judged is skipped.
 */
export function junitReport(report: Report): string {
  const { rows } = report;
  const areas = [...new Set(rows.map(({ area }) => area))];
  const suites = areas.map((area) => {
    const cases = rows.filter((row) => row.area === area);
    return element(
      'testsuite',
      { name: area, ...totals(cases, report), timestamp: report.startedAt },
      cases.map((row) => testcase(report, row)),
    );
  });
  const all = {
    name: `conformance of ${report.target.baseUrl}`,
    ...totals(rows, report),
    time: seconds(report.durationMilliseconds),
  };
  const waivers = report.waivers
    .filter(({ state }) => state === 'expired' || state === 'not-needed')
    .map((waiver) => {
      const text = `${waiver.state}: ${waiver.reason} (${waiver.owner}, until ${waiver.expires})`;
      return element('testcase', { classname: 'waivers', name: waiver.id }, [
        element('failure', { message: text }, []),
      ]);
    });
  const waiverTotals = { name: 'waivers', tests: waivers.length, failures: waivers.length, errors: 0, skipped: 0 };
  if (waivers.length > 0) suites.push(element('testsuite', waiverTotals, waivers));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', all, suites)}\n`;
}

const statusOf = ({ outcome, waived, rule }: ReportRow, { verdict, mustRules }: Report) => {
  if (waived) return 'skipped';
  if (outcome === 'fail') return 'failure';
  const documentedMust = rule.level === 'must' && rule.provenance === 'documented';
  const onlyNotRun = verdict === 'incomplete' && mustRules.inconclusive + mustRules.error === 0;
  if (documentedMust && (outcome === 'inconclusive' || outcome === 'error')) return 'error';
  if (documentedMust && outcome === 'not-run' && onlyNotRun) return 'error';
  return ['inconclusive', 'error', 'not-run', 'not-selected'].includes(outcome) ? 'skipped' : 'passed';
};

function totals(rows: readonly ReportRow[], report: Report) {
  const having = (status: string) => rows.filter((row) => statusOf(row, report) === status).length;
  return {
    tests: rows.length,
    failures: having('failure'),
    errors: having('error'),
    skipped: having('skipped'),
  };
}

function testcase(report: Report, row: ReportRow): string {
  const status = statusOf(row, report);
  const message = row.waived ? `waived: ${row.message}` : row.message;
  const details = [
    `rule: ${row.rule.text}`,
    `${row.rule.id}, section ${row.rule.section}, ${row.rule.provenance}, ${row.rule.level}`,
    `outcome: ${row.outcome}`,
    `applied to ${row.applied}, broken in ${row.broken}`,
    ...evidenceOf(report, row).flatMap(({ expected, observed, exchange }) => [
      `expected: ${expected}`,
      `observed: ${observed}`,
      exchange.curl,
    ]),
  ].join('\n');
  const inside =
    status === 'passed'
      ? []
      : [element(status, { message, ...(status !== 'skipped' && { type: row.outcome }) }, [xml(details)])];
  const out = status === 'passed' ? [element('system-out', {}, [xml(`${row.message}\n${details}`)])] : [];
  return element('testcase', { classname: row.area, name: `${row.id}: ${row.title}` }, [...inside, ...out]);
}
