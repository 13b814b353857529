import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import type { Tally } from './tally.ts';

type Sums = Record<keyof Tally | 'tests' | 'failed', number>;

const root = join(import.meta.dirname, '..');
const reportPath = join(root, '.cache/hardening.json');

function sumsOf(module: TestModule): Sums {
  const sums: Sums = { tests: 0, failed: 0, inputs: 0, faults: 0, lost: 0 };
  for (const test of module.children.allTests()) {
    const { tally } = test.meta();
    if (tally === undefined) continue;
    sums.tests++;
    sums.inputs += tally.inputs;
    sums.faults += tally.faults ?? 0;
    sums.lost += tally.lost ?? 0;
    if (test.result().state === 'failed') sums.failed++;
  }
  return sums;
}

const line = (name: string, { tests, failed, inputs, faults, lost }: Sums) =>
  [name.padEnd(44), tests, failed, inputs, faults, lost].map((cell) => String(cell).padStart(10)).join('');

/** Prints how many hostile inputs and faults the run tried, a row per file, and writes `.cache/hardening.json`. */
export default class HardeningReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules
      .map((module) => [relative(root, module.moduleId), sumsOf(module)] as const)
      .filter(([, { tests }]) => tests > 0)
      .sort(([a], [b]) => a.localeCompare(b));
    if (rows.length === 0) return;
    const total = rows.reduce<Sums>(
      (sum, [, row]) => ({
        tests: sum.tests + row.tests,
        failed: sum.failed + row.failed,
        inputs: sum.inputs + row.inputs,
        faults: sum.faults + row.faults,
        lost: sum.lost + row.lost,
      }),
      { tests: 0, failed: 0, inputs: 0, faults: 0, lost: 0 },
    );
    const heading = ['hardening'.padEnd(44), 'tests', 'failed', 'inputs', 'faults', 'lost']
      .map((cell) => cell.padStart(10))
      .join('');
    console.log(['', heading, ...rows.map(([name, sums]) => line(name, sums)), line('all', total), ''].join('\n'));
    mkdirSync(join(root, '.cache'), { recursive: true });
    writeFileSync(reportPath, `${JSON.stringify({ files: Object.fromEntries(rows), total }, null, 2)}\n`);
  }
}
