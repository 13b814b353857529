import { ruleWords } from '../../../conformance/reports/failures.ts';
import { type CaseStatus, element, seconds, testcase, totals } from '../../../conformance/reports/junit.ts';
import { type ClientReport, type ClientRow, casesText } from './client-report.ts';

/** JUnit XML: a suite each for duties, faults and freedoms. Failures and errors agree with the verdict. */
export function clientJunitReport(report: ClientReport): string {
  const { rows } = report;
  const suites = [...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, ofKind]) =>
    element(
      'testsuite',
      { name: kind, ...totals(ofKind.map((row) => statusOf(report, row))), timestamp: report.startedAt },
      ofKind.map((row) => caseOf(report, row)),
    ),
  );
  const all = {
    name: `certification of ${report.subject}`,
    ...totals(rows.map((row) => statusOf(report, row))),
    time: seconds(report.durationMilliseconds),
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', all, suites)}\n`;
}

function statusOf({ exitCode, outcomes }: ClientReport, { outcome }: ClientRow): CaseStatus {
  if (outcome === 'fail') return 'failure';
  // An exit code of 1 without a failure means that --strict counts the warnings.
  if (outcome === 'warn') return exitCode === 1 && outcomes.fail === 0 ? 'failure' : 'passed';
  if (outcome === 'inconclusive' || outcome === 'error') return 'error';
  return outcome === 'not-run' || outcome === 'not-selected' ? 'skipped' : 'passed';
}

function caseOf(report: ClientReport, row: ClientRow): string {
  const { kind, rule, outcome, message, advice, again, output } = row;
  const all = casesText(row);
  return testcase(report, row, {
    classname: kind,
    status: statusOf(report, row),
    message,
    before: [`outcome: ${outcome}: ${message}`, `contract: ${rule.text}`, ruleWords(row)],
    after: [
      ...(all === '' ? [] : [`with: ${all}`]),
      `do: ${advice}`,
      ...(again === null ? [] : [`again: ${again}`]),
      ...(output === null ? [] : [output]),
    ],
  });
}
