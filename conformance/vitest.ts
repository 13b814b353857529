import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadTarget, type Target } from '../spec/files/target.ts';
import { type ConformanceOptions, laws, runConformance } from './index.ts';
import { evidenceOf } from './reports/failures.ts';
import type { Report } from './reports/report-schema.ts';
import { leftOut } from './verdict/selection.ts';

/** How a deployment is run against and judged in vitest. */
export interface ConformanceTestOptions extends Omit<ConformanceOptions, 'signal'> {
  /** Milliseconds for the whole run: ten minutes by default. */
  readonly runTimeout?: number;
}

/**
 * Declares one vitest test per selected law, and one for the verdict. All tests share one run, paced as on the command line. A law that
 * fails, is inconclusive or ends in an error fails its test. A law that could not run is skipped with the missing field, and fails the
 * verdict unless `allowNotRun` is given. A waived failure is skipped with its message.
 * @param target a target file or a target
 * @throws ConfigurationError at once for a target file that cannot be used
 */
export function conformanceTests(target: string | Target, options: ConformanceTestOptions = {}): void {
  const { runTimeout = 600_000, ...rest } = options;
  const loaded = typeof target === 'string' ? loadTarget(target) : target;
  const selected = laws.filter((law) => leftOut(law, options) === null);

  describe(`conformance of ${loaded.baseUrl}`, { concurrent: false }, () => {
    const stop = new AbortController();
    let report: Promise<Report>;

    beforeAll(() => {
      report = runConformance(loaded, { ...rest, signal: stop.signal });
      // The tests below report a rejected run. Without this line it would be unhandled when no test is left to await it.
      report.catch(() => undefined);
    });
    // The run removes its labels even when vitest stops a test or is interrupted.
    afterAll(async () => {
      stop.abort();
      await report.catch(() => undefined);
    }, runTimeout);

    for (const { id, title } of selected) {
      test(`${id}: ${title}`, { timeout: runTimeout }, async ({ skip }) => {
        const finished = await report;
        const row = finished.rows.find((one) => one.id === id);
        if (row === undefined) return;
        if (row.outcome === 'not-run' || row.outcome === 'not-selected') skip(row.message);
        if (row.waived) skip(`waived: ${row.message}`);
        const curl = evidenceOf(finished, row)[0]?.exchange.curl ?? '';
        const why = row.outcome === 'fail' ? row.message : `${row.outcome}: ${row.message}`;
        if (['fail', 'inconclusive', 'error'].includes(row.outcome)) expect.fail(`${why}\n${curl}`.trim());
      });
    }

    test('every selected must rule is kept', { timeout: runTimeout }, async () => {
      const { exitCode, sentence } = await report;
      expect(exitCode, sentence).toBe(0);
    });
  });
}
