import { traceOf } from './failures.ts';
import type { Report, ReportRow } from './report-schema.ts';

/** Common Test Report Format (ctrf.io), as one JSON document. */
export function ctrfReport(report: Report): string {
  const tests = report.rows.map((row) => testOf(report, row));
  const having = (status: string) => tests.filter((test) => test.status === status).length;
  const { verdict, exitCode, sentence, target, waivers } = report;
  const document = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    generatedBy: 'partnerkit',
    timestamp: report.finishedAt,
    results: {
      tool: { name: 'partnerkit conformance', version: report.kit },
      summary: {
        tests: tests.length,
        ...Object.fromEntries(['passed', 'failed', 'skipped', 'pending', 'other'].map((one) => [one, having(one)])),
        start: Date.parse(report.startedAt),
        stop: Date.parse(report.finishedAt),
        duration: Math.round(report.durationMilliseconds),
        extra: { verdict, exitCode, sentence, target, waivers },
      },
      tests,
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function testOf(report: Report, row: ReportRow) {
  const { provenance, level, section } = row.rule;
  const trace = traceOf(report, row);
  return {
    name: row.id,
    status: (row.waived ? undefined : statuses[row.outcome]) ?? 'other',
    rawStatus: row.waived ? 'waived' : row.outcome,
    duration: 0,
    suite: ['conformance', row.area],
    message: row.message,
    ...(trace.length > 0 && { trace: trace.join('\n\n') }),
    tags: [row.area, level, provenance],
    labels: { level, provenance, section },
    extra: { title: row.title, rule: row.rule, applied: row.applied, broken: row.broken },
  };
}

/** What CTRF says of an outcome; of what could not be judged `other`. */
const statuses: Readonly<Partial<Record<ReportRow['outcome'], 'passed' | 'failed' | 'skipped'>>> = {
  ...{ pass: 'passed', observed: 'passed', warn: 'passed' },
  ...{ fail: 'failed', 'not-run': 'skipped', 'not-selected': 'skipped' },
};
