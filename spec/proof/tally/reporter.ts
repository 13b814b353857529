import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { countsMarkdown, countsOf, countsTable } from './counts.ts';

const root = join(import.meta.dirname, '../../..');

/**
 * Prints how many hostile inputs and faults the run tried, a row per file; writes `.cache/hardening.json` (or
 * the file that HARDENING_REPORT names), and the summary of
 * the step where CI has one. Whatever was lost fails the run, even where a test forgot to.
 */
export default class HardeningReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const report = countsOf(
      modules.flatMap((module) =>
        [...module.children.allTests()].map((test) => ({
          file: relative(root, module.moduleId),
          failed: test.result().state === 'failed',
          tally: test.meta().tally,
        })),
      ),
    );
    if (report === null) return;
    console.log(countsTable(report));
    const { GITHUB_STEP_SUMMARY: summary, HARDENING_REPORT: file = join(root, '.cache/hardening.json') } = process.env;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
    if (summary) appendFileSync(summary, countsMarkdown(report));
    if (report.total.lost > 0) process.exitCode = 1;
  }
}
