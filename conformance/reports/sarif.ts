import { evidenceOf, traceOf } from './failures.ts';
import type { Report, ReportRow } from './report-schema.ts';

/** SARIF 2.1.0, which code scanning of GitHub and others read: all laws are its rules, and what needs a look its results. */
export function sarifReport(report: Report): string {
  const { kit, startedAt, finishedAt, exitCode, rows, waivers } = report;
  const rules = rows.map(({ id, title, rule, outcome }) => ({
    id,
    shortDescription: { text: title },
    fullDescription: { text: rule.text },
    properties: { rule: rule.id, section: rule.section, provenance: rule.provenance, level: rule.level, outcome },
  }));
  const results = rows.flatMap((row, ruleIndex) =>
    levels[row.outcome] === undefined
      ? []
      : {
          ruleId: row.id,
          ruleIndex,
          level: levels[row.outcome],
          message: { text: [row.message, ...traceOf(report, row)].join('\n') },
          locations: [{ physicalLocation: { artifactLocation: { uri: placeOf(report, row) } } }],
          // The same law is the same finding in the next run, wherever it is broken.
          partialFingerprints: { 'law/v1': row.id },
          ...(row.waived && { suppressions: [{ kind: 'external' }] }),
          properties: { applied: row.applied, broken: row.broken },
        },
  );
  const informationUri = 'https://github.com/partnerkit/partnerkit';
  const driver = { name: 'partnerkit', semanticVersion: kit, informationUri, rules };
  const ran = { startTimeUtc: startedAt, endTimeUtc: finishedAt, exitCode, executionSuccessful: exitCode !== 3 };
  const run = { tool: { driver }, invocations: [ran], results, properties: { waivers } };
  const document = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return `${JSON.stringify(document, null, 2)}\n`;
}

const levels: Readonly<Partial<Record<ReportRow['outcome'], 'error' | 'warning' | 'note'>>> = {
  fail: 'error',
  warn: 'warning',
  error: 'note',
  inconclusive: 'note',
};

/** The path of the first wrong reply: GitHub takes no place with a host. */
function placeOf(report: Report, row: ReportRow): string {
  const url = evidenceOf(report, row)[0]?.exchange.url ?? '';
  return url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/^\/+|[?#].*$/gs, '') || 'v1';
}
