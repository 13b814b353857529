import { evidenceOf } from '../../reports/evidence-of.ts';
import { element, seconds, xml } from '../../reports/markup/junit-markup.ts';
import type { ClientReport, ClientRow } from './client-report-schema.ts';

/** JUnit XML: a suite each for duties, faults and freedoms. Failures and errors agree with the verdict. */
export function clientJunitReport(report: ClientReport): string {
  const { rows } = report;
  const suites = [...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, ofKind]) =>
    element(
      'testsuite',
      { name: kind, ...totals(report, ofKind), timestamp: report.startedAt },
      ofKind.map((row) => testcase(report, row)),
    ),
  );
  const all = {
    name: `certification of ${report.subject}`,
    ...totals(report, rows),
    time: seconds(report.durationMilliseconds),
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', all, suites)}\n`;
}

function statusOf({ exitCode, outcomes }: ClientReport, { outcome }: ClientRow) {
  if (outcome === 'fail') return 'failure';
  // An exit code of 1 without a failure means that --strict counts the warnings.
  if (outcome === 'warn') return exitCode === 1 && outcomes.fail === 0 ? 'failure' : 'passed';
  if (outcome === 'inconclusive' || outcome === 'error') return 'error';
  return outcome === 'not-run' || outcome === 'not-selected' ? 'skipped' : 'passed';
}

function totals(report: ClientReport, rows: readonly ClientRow[]) {
  const having = (status: string) => rows.filter((row) => statusOf(report, row) === status).length;
  return { tests: rows.length, failures: having('failure'), errors: having('error'), skipped: having('skipped') };
}

function testcase(report: ClientReport, row: ClientRow): string {
  const { rule, outcome, message, advice, again, output } = row;
  const status = statusOf(report, row);
  const details = [
    `outcome: ${outcome}: ${message}`,
    `contract: ${rule.text}`,
    `${rule.id}, section ${rule.section}, ${rule.provenance}, ${rule.level}`,
    ...evidenceOf(report, row).flatMap(({ expected, observed, exchange }) => [
      `expected: ${expected}`,
      `observed: ${observed}`,
      exchange.curl,
    ]),
    `do: ${advice}`,
    ...(again === null ? [] : [`again: ${again}`]),
    ...(output === null ? [] : [output]),
  ].join('\n');
  const inside =
    status === 'passed'
      ? element('system-out', {}, [xml(details)])
      : element(status, { message, ...(status !== 'skipped' && { type: outcome }) }, [xml(details)]);
  return element('testcase', { classname: row.kind, name: `${row.id}: ${row.title}` }, [inside]);
}
