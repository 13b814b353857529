import { loadTarget, type Target } from '../spec/files/target.ts';
import { loadWaivers, type Waiver } from '../spec/files/waivers.ts';
import { packageVersion } from '../spec/package-facts.ts';
import type { Check } from './check.ts';
import { checks as allChecks } from './checks/index.ts';
import type { Environment } from './client/environment.ts';
import { nodeEnvironment } from './client/node-environment.ts';
import { fileJournal } from './file-journal.ts';
import { reportOf } from './reports/report-of.ts';
import type { Report } from './reports/report-schema.ts';
import { type RunOptions, type RunRecord, run } from './run.ts';
import { assertKnownSelection } from './validate-selection.ts';
import { applyWaivers, assertKnownWaivers } from './waivers.ts';
import type { WriteJournal } from './write-journal.ts';

export { ConfigurationError } from '../spec/files/configuration-error.ts';
export { loadTarget, parseTarget, type Target } from '../spec/files/target.ts';
export { loadWaivers, parseWaivers, type Waiver } from '../spec/files/waivers.ts';
export type { Check } from './check.ts';
export { checks } from './checks/index.ts';
export { cleanup } from './cleanup.ts';
export type { Environment } from './client/environment.ts';
export { nodeEnvironment } from './client/node-environment.ts';
export { diffReports } from './diff.ts';
export { fileJournal } from './file-journal.ts';
export type { Outcome } from './outcome.ts';
export { type Plan, plan } from './plan.ts';
export { PreflightError } from './preflight.ts';
export { consoleReport } from './reports/console.ts';
export { formats, type ReportFormat } from './reports/formats.ts';
export { readReport } from './reports/read-report.ts';
export type { Report, ReportRow } from './reports/report-schema.ts';
export { memoryJournal, type WriteJournal } from './write-journal.ts';

export interface ConformanceOptions
  extends Omit<RunOptions, 'checks' | 'environment' | 'journal' | 'planned' | 'onExchange'> {
  /** All by default. */
  readonly checks?: readonly Check[];
  /** The real world by default. */
  readonly environment?: Environment;
  /** A file below `.partnerkit` by default, so that `conformance cleanup` can finish what a dead process began. */
  readonly journal?: WriteJournal;
  /** A waiver file, or its waivers. */
  readonly waivers?: string | readonly Waiver[];
  /** The plain record of the run, before it becomes a report. */
  readonly onRecord?: (record: RunRecord) => void;
}

/** Where a run remembers its writes unless told otherwise. */
export const defaultJournalFolder = '.partnerkit';

/**
 * Grades a deployment, rule by rule.
 * @param target a target file, whose `${NAME}` are taken from the environment, or a target
 * @returns everything that reports show; `exitCode` is 0 conformant, 1 non-conformant, 3 incomplete
 * @throws ConfigurationError for a target, filter or waiver that cannot be used, PreflightError when nobody answers
 */
export async function runConformance(target: string | Target, options: ConformanceOptions = {}): Promise<Report> {
  const { checks = allChecks, waivers: given = [], onRecord, ...rest } = options;
  const loaded = typeof target === 'string' ? loadTarget(target) : target;
  const waivers = typeof given === 'string' ? loadWaivers(given) : given;
  assertKnownSelection(options, checks);
  assertKnownWaivers(
    waivers,
    checks.map(({ id }) => id),
    typeof given === 'string' ? given : 'waivers',
  );
  const own = nodeEnvironment();
  const environment = options.environment ?? own;
  const journal = options.journal ?? fileJournal(defaultJournalFolder, loaded.baseUrl);
  try {
    const record = await run(loaded, { ...rest, checks, environment, journal });
    onRecord?.(record);
    const waived = applyWaivers(record, waivers, environment.now(), options.allowNotRun);
    return reportOf(waived, { checks, kit: packageVersion() });
  } finally {
    own.close();
  }
}
