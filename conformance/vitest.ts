import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadTarget, type Target } from '../spec/files/target.ts';
import { loadWaivers } from '../spec/files/waivers.ts';
import { checks as allChecks } from './checks/index.ts';
import { type ConformanceOptions, runConformance } from './index.ts';
import type { CheckResult } from './outcome.ts';
import type { Report } from './reports/report-schema.ts';
import { leftOut } from './selection.ts';

export interface ConformanceTestOptions extends Omit<ConformanceOptions, 'signal' | 'onRecord'> {
  /** Milliseconds for the whole run: ten minutes by default. */
  readonly runTimeout?: number;
}

/**
 * Declares one vitest test per selected check, and one for the verdict. The checks run together, paced as on the command line;
 * each test waits for its own. What fails, is inconclusive or breaks fails its test; what is not run is skipped with the
 * missing field, and fails the verdict unless `allowNotRun` is given. A waived failure is skipped with its message.
 * @param target a target file or a target
 * @throws ConfigurationError at once for a target file that cannot be used
 */
export function conformanceTests(target: string | Target, options: ConformanceTestOptions = {}): void {
  const { checks = allChecks, runTimeout = 600_000, waivers: given = [], ...rest } = options;
  const loaded = typeof target === 'string' ? loadTarget(target) : target;
  const waivers = typeof given === 'string' ? loadWaivers(given) : given;
  const waived = new Set(waivers.map(({ id }) => id));
  const selected = checks.filter((check) => leftOut(check, options) === null);

  describe(`conformance of ${loaded.baseUrl}`, { concurrent: false }, () => {
    const stop = new AbortController();
    const arrived = new Map(selected.map(({ id }) => [id, Promise.withResolvers<CheckResult>()]));
    let report: Promise<Report>;

    beforeAll(() => {
      report = runConformance(loaded, {
        ...rest,
        checks,
        waivers,
        signal: stop.signal,
        onResult: (result, done, all) => {
          arrived.get(result.id)?.resolve(result);
          options.onResult?.(result, done, all);
        },
      });
      // Whoever never gets a result learns why.
      report.catch((error: unknown) => {
        for (const { promise, reject } of arrived.values()) {
          promise.catch(() => undefined);
          reject(error);
        }
      });
    });
    // Vitest gave up on a test or was interrupted: labels are restored all the same.
    afterAll(async () => {
      stop.abort();
      await report.catch(() => undefined);
    }, runTimeout);

    for (const { id, title } of selected) {
      test(`${id}: ${title}`, { timeout: runTimeout }, async ({ skip }) => {
        const result = await arrived.get(id)?.promise;
        if (result === undefined) return;
        if (result.outcome === 'not-run') skip(result.message);
        // Whether the waiver still holds is for the verdict to say.
        if (result.outcome === 'fail' && waived.has(id)) skip(`waived: ${result.message}`);
        const bad = ['fail', 'inconclusive', 'error'].includes(result.outcome);
        if (bad) expect.fail([result.message, result.exchanges.at(-1)?.curl ?? ''].join('\n').trim());
      });
    }

    test('every selected must rule is kept', { timeout: runTimeout }, async () => {
      const { exitCode, sentence } = await report;
      expect(exitCode, sentence).toBe(0);
    });
  });
}
