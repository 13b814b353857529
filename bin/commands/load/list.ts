import type { Command } from 'commander';

/** `partnerkit load list`: lists the scenarios. */
export function addLoadListCommand(load: Command): void {
  load
    .command('list')
    .description('list the scenarios and the rules that they judge')
    .option('--json', 'print JSON')
    .action(async ({ json }: { readonly json?: boolean }) => {
      const { scenarioPlans } = await import('../../../load/scenarios.ts');
      const rows = scenarioPlans.map(({ name, summary, rules, seconds }) => ({
        name,
        summary,
        seconds: seconds ?? null,
        rules,
      }));
      if (json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
      else {
        const width = Math.max(...rows.map(({ name }) => name.length));
        process.stdout.write(
          rows
            .map((row) => `${row.name.padEnd(width)}  ${row.summary}\n${' '.repeat(width + 2)}${row.rules.join(' ')}\n`)
            .join(''),
        );
      }
    });
}
