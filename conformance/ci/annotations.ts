import { appendFileSync, readFileSync } from 'node:fs';
import type { Report, ReportRow } from '../reports/report-schema.ts';

/** GitHub shows no more of a kind for a step. The summary has all. */
const most = 10;

/** How bad an outcome is, worst first; others need no look. */
const worst: readonly ReportRow['outcome'][] = ['fail', 'error', 'inconclusive', 'warn'];

/**
 * Workflow commands for GitHub, at most ten, worst first: an error for each failure and each waiver to be taken away, a warning for each
 * law that could not be judged and each broken should.
 */
export function annotations({ rows, waivers }: Pick<Report, 'rows' | 'waivers'>): string[] {
  const of = (outcome: ReportRow['outcome']) =>
    rows
      .filter((row) => !row.waived && row.outcome === outcome)
      .map((row) => annotation(outcome === 'fail' ? 'error' : 'warning', row.id, textOf(row)));
  const old = waivers
    .filter(({ state }) => state === 'expired' || state === 'not-needed')
    .map(({ id, state, owner, expires }) => annotation('error', id, `waiver ${state} (${owner}, until ${expires})`));
  const [failed = [], ...others] = worst.map(of);
  return [...failed, ...old, ...others.flat()].slice(0, most);
}

const textOf = ({ rule, message }: ReportRow): string => `${rule.id}: ${rule.text}\n${message}`;

/** A workflow command, escaped as GitHub demands. */
const annotation = (level: string, title: string, text: string) =>
  `::${level} title=${escaped(title).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${escaped(text)}`;

const escaped = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

// Run by action.yml with the Node of the job, from a checkout where nothing is installed: it needs no package.
if (import.meta.main) {
  const [file = '', outputs = ''] = process.argv.slice(2);
  const report: Report = JSON.parse(readFileSync(file, 'utf8'));
  for (const line of annotations(report)) process.stdout.write(`${line}\n`);
  appendFileSync(outputs, `verdict=${report.verdict}\n`);
}
