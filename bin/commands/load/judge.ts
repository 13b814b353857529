import { type Command, InvalidArgumentError } from 'commander';
import { judgeFiles } from '../../../load/judge-files.ts';
import { packageVersion } from '../../../spec/package-facts.ts';
import { positive } from '../../option-values.ts';
import { assertWritable } from '../../output/publish.ts';
import { publishLoad, type ReportFiles, reportsOption } from './reports.ts';

interface JudgeFlags {
  readonly perSecond: number;
  readonly burst: number;
  readonly skewMs?: number;
  readonly rested: boolean;
  readonly serverSide?: boolean;
  readonly report: ReportFiles;
}

const help = `
Reads k6's raw output of a scenario (k6 run --out json=FILE), and what vegeta, hey, oha, k6, JMeter, browsers (HAR), nginx and Envoy
wrote of one key, or CSV and NDJSON with sentAt, doneAt and status. --per-second, --burst, --no-rested and --server-side are for these.

Examples:
  partnerkit load judge results/*.json
  partnerkit load judge hey.csv --per-second 10 --burst 20`;

/** `partnerkit load judge`: judges a rate limiter by what k6, another load tool, a browser or a gateway wrote. */
export function addLoadJudgeCommand(load: Command): void {
  load
    .command('judge')
    .description("judge what k6 or another tool wrote; several machines' files are merged")
    .argument('<files...>', 'raw output of k6, or logs of the requests with one key; plain or .gz')
    .addOption(reportsOption())
    .option('--per-second <number>', 'the declared rate', positive, 10)
    .option('--burst <number>', 'the declared burst', burstSize, 20)
    .option(
      '--skew-ms <number>',
      'how far the clocks of several files may differ; default: 2000 of machines with k6, else 1',
      positive,
    )
    .option('--no-rested', 'the bucket may not have been full at the start, because the key was used before')
    .option('--server-side', 'the files are logs of the gateway, which decided each request when it came')
    .addHelpText('after', help)
    .action(async (files: string[], { report, perSecond, burst, ...options }: JudgeFlags) => {
      await assertWritable(report);
      const limit = { perSecond, burst };
      await publishLoad(await judgeFiles(files, { ...options, limit, kit: packageVersion() }), report);
    });
}

/** Beyond this many tokens a volley tells nothing. */
const largestBurst = 100_000;

function burstSize(value: string): number {
  const number = Number(value);
  if (!(number >= 1 && number <= largestBurst))
    throw new InvalidArgumentError(`Give a number from 1 to ${largestBurst}.`);
  return number;
}
