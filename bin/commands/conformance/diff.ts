import type { Command } from 'commander';

/** `partnerkit conformance diff`: compares two runs. */
export function addDiffCommand(group: Command): void {
  group
    .command('diff')
    .argument('<before>', 'JSON report of the earlier run')
    .argument('<after>', 'JSON report of the later run')
    .description('compare two JSON reports; exits with 1 if something got worse')
    .option('--json', 'print JSON')
    .action(async (before: string, after: string, { json }: { readonly json?: boolean }) => {
      const [{ diffReports, diffText }, { readReport }] = await Promise.all([
        import('../../../conformance/reports/earlier/diff.ts'),
        import('../../../conformance/reports/earlier/read-report.ts'),
      ]);
      const diff = diffReports(readReport(before), readReport(after));
      process.stdout.write(json ? `${JSON.stringify(diff, null, 2)}\n` : diffText(diff));
      process.exitCode = diff.worse.length > 0 ? 1 : 0;
    });
}
