import { ruleWords } from './evidence-of.ts';
import { type CaseStatus, element, seconds, testcase, totals } from './markup/junit-markup.ts';
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
      { name: area, ...totals(cases.map((row) => statusOf(row, report))), timestamp: report.startedAt },
      cases.map((row) => caseOf(report, row)),
    );
  });
  const all = {
    name: `conformance of ${report.target.baseUrl}`,
    ...totals(rows.map((row) => statusOf(row, report))),
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
