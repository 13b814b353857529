import type { Command } from '@commander-js/extra-typings';
import type { WantedFile } from '../../../conformance/reports/report-files.ts';
import { judgeFiles } from '../../../load/judge-files.ts';
import { diffRuns, diffText } from '../../../load/report/diff-runs.ts';
import { diffPage, htmlReport } from '../../../load/report/html-report.ts';
import { type LoadReport, loadReportSchema } from '../../../load/report/report-schema.ts';
import { terminalReport } from '../../../load/report/terminal-report.ts';
import { readJsonReport } from '../../../spec/files/read-file.ts';
import { ownCommand, packageVersion } from '../../../spec/package-facts.ts';
import { commandLine } from '../../../spec/text/shell-quoted.ts';
import { numberOf, positive } from '../../option-values.ts';
import { assertWritable, publish, writeOnce } from '../../output/publish.ts';
import { reportOption } from '../report-option.ts';

const help = `
Reads k6's raw output of a scenario (k6 run --out json=FILE), and what vegeta, hey, oha, k6, JMeter, browsers (HAR), nginx and Envoy
wrote of one key, or CSV and NDJSON with sentAt, doneAt and status. --per-second, --burst, --no-rested and --server-side are for these.

Examples:
  partnerkit load judge results/*.json
  partnerkit load judge hey.csv --per-second 10 --burst 20`;

/** Beyond these many tokens a volley tells nothing. */
const burstSize = numberOf('a number from 1 to 100000', (number) => number >= 1 && number <= 100_000);

/** `partnerkit load judge`: judges a rate limiter by what k6, another load tool, a browser or a gateway wrote. */
export function addLoadJudgeCommand(load: Command): void {
  load
    .command('judge')
    .description("judge what k6 or another tool wrote; several machines' files are merged")
    .argument('<files...>', 'raw output of k6, or logs of the requests with one key; plain or .gz')
    .addOption(reportsOption())
    .option('--per-second <number>', 'the declared rate', positive, 10)
    .option('--burst <number>', 'the declared burst', burstSize, 20)
    .option('--skew-ms <number>', 'how far clocks of files may differ; default: 2000 with k6, else 1', positive)
    .option('--no-rested', 'the bucket may not have been full at the start, because the key was used before')
    .option('--server-side', 'the files are logs of the gateway, which decided each request when it came')
    .addHelpText('after', help)
    .action(async (files, { report, perSecond, burst, ...options }) => {
      await assertWritable(report);
      const limit = { perSecond, burst };
      await publishLoad(await judgeFiles(files, { ...options, limit, kit: packageVersion() }), report);
    });
}

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
    .action((earlier, later, { html }) => {
      const before = readJsonReport(earlier, loadReportSchema);
      const after = readJsonReport(later, loadReportSchema);
      if (html !== undefined) writeOnce(html, diffPage(before, after), true);
      process.stdout.write(diffText(before, after));
      process.exitCode = diffRuns(before, after).isWorse ? 1 : 0;
    });
}

export const reportsOption = () => reportOption(['html', 'json']);

const formats = { html: htmlReport, json: (report: LoadReport) => `${JSON.stringify(report, null, 2)}\n` };

/** Prints the summary and writes the reports, which name this command. */
export const publishLoad = (
  made: LoadReport,
  files: readonly WantedFile<'html' | 'json'>[],
  more: readonly (string | undefined)[] = [],
) => {
  const report = { ...made, again: commandLine([...ownCommand(), ...process.argv.slice(2)]) };
  return publish(report, { text: terminalReport(report), files, formats, more });
};
