import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Command, InvalidArgumentError } from 'commander';
import { positive } from '../../option-values.ts';

/** In bytes: the size of some million requests. */
const maxBytes = 512 * 1024 * 1024;

interface JudgeFlags {
  readonly perSecond: number;
  readonly burst: number;
  readonly skewMs: number;
  readonly rested: boolean;
  readonly json?: boolean;
  readonly serverSide?: boolean;
}

/** `partnerkit load judge`: judges a rate limiter by the log of a load tool, browser or gateway. */
export function addLoadJudgeCommand(load: Command): void {
  load
    .command('judge')
    .description(
      "judge a rate limiter by another tool's output: vegeta, hey, oha, k6, JMeter, HAR, nginx, Envoy, CSV, NDJSON",
    )
    .argument('<files...>', 'logs of the requests with one key; several files are merged')
    .option('--per-second <number>', 'the declared rate', positive, 10)
    .option('--burst <number>', 'the declared burst', burstSize, 20)
    .option('--skew-ms <number>', 'how far the clocks of several files may differ', positive, 1)
    .option('--no-rested', 'the bucket may not have been full at the start, because the key was used before')
    .option('--server-side', 'the files are logs of the gateway, which decided each request when it came')
    .option('--json', 'print the whole judgement as JSON')
    .addHelpText('after', '\nExample:\n  partnerkit load judge hey.csv --per-second 10 --burst 20')
    .action(judge);
}

/** Beyond this many tokens a volley tells nothing. */
const largestBurst = 100_000;

function burstSize(value: string): number {
  const number = Number(value);
  if (!(number >= 1 && number <= largestBurst))
    throw new InvalidArgumentError(`Give a number from 1 to ${largestBurst}.`);
  return number;
}

/** UTF-8, or UTF-16 as Excel and PowerShell write it, without the byte order mark. A log may hold any bytes of its clients. */
const textOf = (bytes: Buffer): string => new TextDecoder(encodings[bytes.toString('hex', 0, 2)]).decode(bytes);
const encodings: Readonly<Record<string, string>> = { fffe: 'utf-16le', feff: 'utf-16be' };

async function judge(
  files: readonly string[],
  { perSecond, burst, skewMs, rested, json, serverSide = false }: JudgeFlags,
): Promise<void> {
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
      if (file.endsWith('.gz')) return textOf(gunzipSync(readFileSync(file), { maxOutputLength: maxBytes }));
      return readTextFile(file, maxBytes, textOf);
    } catch (error) {
      throw new ConfigurationError([`${file}: ${fileProblem(error, 'read')}`]);
    }
  };
  const twice = files.find((file, index) => files.some((other, i) => i < index && resolve(other) === resolve(file)));
  if (twice !== undefined) throw new ConfigurationError([`${twice}: is given twice; name each file once`]);
  const runs = files.map((file) => readObservations(read(file), file));
  const alone = runs.findIndex(({ relative }) => relative);
  if (alone >= 0 && runs.length > 1)
    throw new ConfigurationError([
      `${files[alone]}: ${runs[alone]?.format} counts its times from its own begin, so that it cannot be joined with others; give it alone`,
    ]);
  // Both times of a log line are cut to a step of its time.
  const stepMs = Math.max(...runs.map((run) => run.stepMs));
  const coarse = Math.max(skewMs, stepMs * (serverSide ? 2 : 1));
  const written = runs.flatMap((run) => run.observations);
  // A limiter decides before the request goes on: what the work behind it takes says nothing of when.
  const observations = serverSide ? written.map((one) => ({ ...one, doneAt: one.sentAt })) : written;
  const judgement = limiter.judge({ perSecond, burst }, observations, { skewMs: coarse, startedFull: rested });
  const broken = limiter.brokenRules(judgement).length > 0;
  const outcome = broken ? 'breaks' : judgement.verdict === 'pass' ? 'keeps' : 'cannot-tell';
  process.exitCode = exitCodes[outcome];
  const [first, last] = observations.reduce(
    ([low, high], { sentAt }) => [Math.min(low, sentAt), Math.max(high, sentAt)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  const leftOut = runs.reduce((sum, run) => sum + run.leftOut, 0);
  const input = { requests: observations.length, leftOut, spanSeconds: (last - first) / 1000, stepMs };
  if (json) {
    process.stdout.write(`${JSON.stringify({ ...judgement, input }, null, 2)}\n`);
    return;
  }
  const { admitted, throttled, refused, unknown } = judgement.counts;
  const others = `${refused > 0 ? `, ${refused} refused otherwise` : ''}${unknown > 0 ? `, ${unknown} without an answer` : ''}`;
  const names = [...new Set(runs.map(({ format }) => format))].join(', ');
  const rows = leftOut > 0 ? ` (${leftOut} rows that are no requests left out)` : '';
  process.stdout.write(
    `${names}: ${observations.length} requests${rows} sent within ${input.spanSeconds.toFixed(2)} s, times in steps of ${stepMs} ms; ${admitted} admitted, ${throttled} throttled${others}\n`,
  );
  const heading = { keeps: 'PASS', breaks: 'FAIL', 'cannot-tell': 'CANNOT TELL' }[outcome];
  const finer = '; finer times would show more (of k6: K6_CSV_TIME_FORMAT=rfc3339_nano)';
  const sentence = limiter.describeJudgement(judgement).replace(/^cannot tell: /, '');
  process.stdout.write(`${heading}: ${sentence}${outcome === 'cannot-tell' && stepMs > 100 ? finer : ''}\n`);
}
