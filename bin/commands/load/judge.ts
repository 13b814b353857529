import { type Command, Option } from 'commander';
import { positive } from '../../option-values.ts';

/** In bytes: the size of some million requests. */
const maxBytes = 512 * 1024 * 1024;

interface JudgeFlags {
  readonly perSecond: number;
  readonly burst: number;
  readonly skewMs: number;
  readonly rested: boolean;
  readonly json?: boolean;
}

/** `partnerkit load judge`: judges a rate limiter by the log of a load tool, browser or gateway. */
export function addLoadJudgeCommand(load: Command): void {
  load
    .command('judge')
    .description(
      "judge a rate limiter by another tool's output: vegeta, hey, oha, k6, JMeter, HAR, nginx, Envoy, CSV, NDJSON",
    )
    .argument('<files...>', 'logs of the requests with one key; several files are merged')
    .addOption(new Option('--per-second <number>', 'the declared rate').default(10).argParser(positive))
    .addOption(new Option('--burst <number>', 'the declared burst').default(20).argParser(positive))
    .addOption(
      new Option('--skew-ms <number>', 'how far the clocks of several files may differ').default(1).argParser(positive),
    )
    .option('--no-rested', 'the bucket may not have been full at the start, because the key was used before')
    .option('--json', 'print the whole judgement as JSON')
    .addHelpText('after', '\nExample:\n  partnerkit load judge hey.csv --per-second 10 --burst 20')
    .action(judge);
}

async function judge(files: readonly string[], { perSecond, burst, skewMs, rested, json }: JudgeFlags): Promise<void> {
  const [{ readObservations }, limiter, { readTextFile }, { exitCodes }, { ConfigurationError }, { fileProblem }] =
    await Promise.all([
      import('../../../load/foreign/read-observations.ts'),
      import('../../../spec/limiter/rate-limit.ts'),
      import('../../../spec/files/read-text-file.ts'),
      import('../../../load/verdict/judge-run.ts'),
      import('../../../spec/files/configuration-error.ts'),
      import('../../../spec/files/file-problem.ts'),
    ]);
  const read = (file: string): string => {
    try {
      return readTextFile(file, maxBytes);
    } catch (error) {
      throw new ConfigurationError([`${file}: ${fileProblem(error, 'read')}`]);
    }
  };
  const runs = files.map((file) => readObservations(read(file), file));
  const coarse = Math.max(skewMs, ...runs.map(({ resolutionMs }) => resolutionMs));
  const observations = runs.flatMap((run) => run.observations);
  const judgement = limiter.judge({ perSecond, burst }, observations, { skewMs: coarse, startedFull: rested });
  const broken = limiter.brokenRules(judgement).length > 0;
  const outcome = broken ? 'breaks' : judgement.verdict === 'pass' ? 'keeps' : 'cannot-tell';
  process.exitCode = exitCodes[outcome];
  if (json) {
    process.stdout.write(`${JSON.stringify(judgement, null, 2)}\n`);
    return;
  }
  const { admitted, throttled, refused, unknown } = judgement.counts;
  const others = `${refused > 0 ? `, ${refused} refused otherwise` : ''}${unknown > 0 ? `, ${unknown} without an answer` : ''}`;
  const names = [...new Set(runs.map(({ format }) => format))].join(', ');
  process.stdout.write(
    `${names}: ${observations.length} requests, ${admitted} admitted, ${throttled} throttled${others}\n`,
  );
  const heading = { keeps: 'PASS', breaks: 'FAIL', 'cannot-tell': 'CANNOT TELL' }[outcome];
  process.stdout.write(`${heading}: ${limiter.describeJudgement(judgement).replace(/^cannot tell: /, '')}\n`);
}
