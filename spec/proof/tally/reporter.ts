import { join, relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const root = join(import.meta.dirname, '../../..');

/** Prints how many hostile inputs and faults were tried, a row per file. Whatever was lost fails the run, even where a test forgot to. */
export default class HardeningReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules.flatMap((module) => {
      const tallies = Array.from(module.children.allTests(), (test) => test.meta().tally ?? []).flat();
      const sum = (of: 'inputs' | 'faults' | 'lost') => tallies.reduce((all, tally) => all + (tally[of] ?? 0), 0);
      const counts = { inputs: sum('inputs'), faults: sum('faults'), lost: sum('lost') };
      return tallies.length === 0 ? [] : [[relative(root, module.moduleId), counts] as const];
    });
    if (rows.length === 0) return;
    console.table(Object.fromEntries(rows));
    const lost = rows.reduce((all, [, counts]) => all + counts.lost, 0);
    console.log(lost === 0 ? 'hardening: nothing lost' : `hardening: ${lost} LOST`);
    if (lost > 0) process.exitCode = 1;
  }
}
