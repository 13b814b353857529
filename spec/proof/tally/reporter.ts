import { appendFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { countsMarkdown, countsOf, countsTable } from './counts.ts';
import { keepCounts } from './keep-counts.ts';

const root = join(import.meta.dirname, '../../..');

/**
 * Prints how many hostile inputs and faults were tried, a row per file; also in the summary of the
 * step where CI has one. Whatever was lost fails the run, even where a test forgot to.
 */
export default class HardeningReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = countsOf(
      modules.flatMap((module) =>
        [...module.children.allTests()].map((test) => ({
          file: relative(root, module.moduleId),
          failed: test.result().state === 'failed',
          tally: test.meta().tally,
        })),
      ),
    );
    if (Object.keys(counts).length === 0) return;
    const report = keepCounts(counts);
    console.log(countsTable(report));
    const { GITHUB_STEP_SUMMARY: summary } = process.env;
    if (summary) appendFileSync(summary, countsMarkdown(report));
    if (Object.values(counts).some(({ lost }) => lost > 0)) process.exitCode = 1;
  }
}
