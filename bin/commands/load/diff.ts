import type { Command } from 'commander';
import { diffRuns, diffText } from '../../../load/report/diff-runs.ts';
import { diffPage } from '../../../load/report/html-report.ts';
import { loadReportSchema } from '../../../load/report/report-schema.ts';
import { readJsonReport } from '../../../spec/files/read-file.ts';
import { write } from './reports.ts';

/** `partnerkit load diff`: compares two runs. */
export function addLoadDiffCommand(load: Command): void {
  load
    .command('diff')
    .argument('<before>', 'JSON report of the earlier run')
    .argument('<after>', 'JSON report of the later run')
    .description('compare two runs; exits with 1 if something got worse')
    .option('--html <file>', 'write a page with the curves of both runs in one chart')
    .addHelpText(
      'after',
      '\nload run --report json=FILE writes the reports.\n\nExample:\n  partnerkit load diff monday.json today.json --html diff.html',
    )
    .action((earlier: string, later: string, { html }: { readonly html?: string }) => {
      const before = readJsonReport(earlier, loadReportSchema);
      const after = readJsonReport(later, loadReportSchema);
      write(html, () => diffPage(before, after));
      process.stdout.write(diffText(before, after));
      process.exitCode = diffRuns(before, after).differing.some(({ turn }) => turn === 'worse') ? 1 : 0;
    });
}
