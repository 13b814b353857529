import { ruleWords } from '../../../conformance/reports/failures.ts';
import { type CaseStatus, junitOf, rowCase } from '../../../conformance/reports/junit.ts';
import { type ClientReport, type ClientRow, casesText } from './client-report.ts';

/** JUnit XML: a suite each for duties, faults and freedoms. Failures and errors agree with the verdict. */
export const clientJunitReport = (report: ClientReport): string =>
  junitOf(
    `certification of ${report.subject}`,
    report,
    report.rows.map((row) => caseOf(report, row)),
  );

function statusOf({ outcome }: ClientRow, { exitCode, outcomes }: ClientReport): CaseStatus {
  if (outcome === 'fail') return 'failure';
  // An exit code of 1 without a failure means that --strict counts the warnings.
  if (outcome === 'warn') return exitCode === 1 && outcomes.fail === 0 ? 'failure' : 'passed';
  if (outcome === 'inconclusive' || outcome === 'error') return 'error';
  return outcome === 'not-run' || outcome === 'not-selected' ? 'skipped' : 'passed';
}

function caseOf(report: ClientReport, row: ClientRow) {
  const { kind, rule, outcome, message, advice, again, output } = row;
  const all = casesText(row);
  const before = [`outcome: ${outcome}: ${message}`, `contract: ${rule.text}`, ruleWords(row)];
  const said = [all && `with: ${all}`, `do: ${advice}`, again && `again: ${again}`, output];
  const after = said.flatMap((line) => line || []);
  return rowCase(report, row, kind, statusOf(row, report), before, after);
}
