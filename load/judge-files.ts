import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ConfigurationError, fileProblem } from '../spec/files/configuration-error.ts';
import type { Limit } from '../spec/limiter/limit.ts';
import { readObservations } from './foreign/read-observations.ts';
import { reportOf } from './report/report-of.ts';
import type { LoadReport } from './report/report-schema.ts';
import { type LimitPlan, scenarioPlan } from './scenarios.ts';
import { judgeRun } from './verdict/judge-run.ts';
import { allowSkew, createRawKey, createRawReader, createRawRun, isRaw, type RawRun } from './verdict/recording.ts';

export interface JudgeOptions {
  readonly kit: string;
  /** How far the clocks of several files may differ, in ms. */
  readonly skewMs?: number | undefined;
  /** Of the key, where another tool wrote the files. */
  readonly limit?: Limit;
  /** Whether the bucket was full at the start. */
  readonly rested?: boolean;
  /** Whether the files are logs of a gateway, which decided each request when it came. */
  readonly serverSide?: boolean;
}

/** Characters at the beginning of a file that show who wrote it. */
const beginning = 1 << 20;
/** Bytes of another tool's file: some million requests. */
const largest = 512 * 1024 * 1024;

/** What the files of other tools are judged by: as much of a whole measurement as they show. */
const foreignPlan: LimitPlan = {
  ...(scenarioPlan('measure') as LimitPlan),
  rules: ['limiter/steady-rate', 'limiter/burst', 'limiter/clustering-gains-nothing', 'limiter/over-the-rate-is-429'],
};

const refused = (file: string | undefined, says: string) => new ConfigurationError([`${file}: ${says}`]);

/**
 * The report on what k6 or another tool wrote. Files of several machines are judged together.
 * @throws ConfigurationError for a file that cannot be read, and for files of no scenario or of several
 */
export async function judgeFiles(files: readonly string[], options: JudgeOptions): Promise<LoadReport> {
  const { kit, skewMs } = options;
  const twice = files.find((file, index) => files.some((other, i) => i < index && resolve(other) === resolve(file)));
  if (twice !== undefined) throw refused(twice, 'is given twice; name each file once');
  const run = createRawRun();
  const texts: { readonly file: string; readonly text: string }[] = [];
  for (const file of files) {
    const text = await readFile(file, run);
    if (text !== undefined) texts.push({ file, text });
  }
  if (texts.length > 0 && run.files.length > 0)
    throw refused(texts[0]?.file, 'is no raw output of a scenario, as other files are; give files of one kind');
  if (texts.length > 0) return judgeForeign(texts, options);
  allowSkew(run, skewMs);
  const [name, ...others] = run.scenarios;
  const all = files.join(', ');
  if (name === undefined)
    throw refused(all, run.stopped.map(({ text }) => text).join('; ') || 'no scenario has begun there');
  const plan = scenarioPlan(name);
  if (plan === undefined || others.length > 0)
    throw refused(all, `cannot judge ${[name, ...others].join(' and ')} together; give files of one scenario`);
  return reportOf(run, judgeRun(run, plan), { kit, scenario: name, target: '' });
}

function judgeForeign(
  texts: readonly { readonly file: string; readonly text: string }[],
  { kit, skewMs = 1, limit = { perSecond: 10, burst: 20 }, rested = true, serverSide = false }: JudgeOptions,
): LoadReport {
  const runs = texts.map(({ file, text }) => readObservations(text, file));
  const alone = runs.findIndex(({ relative }) => relative);
  if (alone >= 0 && runs.length > 1)
    throw refused(
      texts[alone]?.file,
      `${runs[alone]?.format} counts its times from its own begin, so that it cannot be joined with others; give it alone`,
    );
  // Both times of a log line are cut to a step of its time.
  const stepMs = Math.max(...runs.map((run) => run.stepMs));
  const judging = { skewMs: Math.max(skewMs, stepMs * (serverSide ? 2 : 1)), startedFull: rested };
  const run = createRawRun();
  const key = { ...createRawKey('the key'), limit, judging };
  run.keys.set(key.label, key);
  for (const { file } of texts) {
    run.files.push(file);
    key.sources.add(file);
  }
  for (const one of runs.flatMap(({ observations }) => observations)) {
    run.requests.push({ ...one, phase: '' });
    // A limiter decides before the request goes on: what the work behind it takes says nothing of when.
    key.samples.push({ ...one, ...(serverSide && { doneAt: one.sentAt }), phase: '' });
  }
  const verdict = judgeRun(run, foreignPlan);
  const coarse = `times are in steps of ${stepMs} ms; finer ones would show more (of k6: K6_CSV_TIME_FORMAT=rfc3339_nano)`;
  const reasons =
    verdict.outcome === 'cannot-tell' && stepMs > 100
      ? [...verdict.reasons, { code: 'coarse-times', text: coarse }]
      : verdict.reasons;
  const formats = [...new Set(runs.map(({ format }) => format))].join(', ');
  return reportOf(run, { ...verdict, reasons }, { kit, scenario: formats, target: '' });
}

/** Adds raw output of k6, which may be larger than memory, to the run. @returns the text of any other file */
async function readFile(file: string, run: RawRun): Promise<string | undefined> {
  const stream = createReadStream(file);
  let text = '';
  let reader: ReturnType<typeof createRawReader> | undefined;
  try {
    const source: Readable = file.endsWith('.gz') ? stream.pipe(createGunzip()) : stream;
    stream.on('error', (error) => source.destroy(error));
    for await (const piece of source.setEncoding('utf8')) {
      if (reader !== undefined) reader.push(String(piece));
      else {
        text += piece;
        if (text.length > largest) throw refused(file, 'is too large; give at most 512 MB');
        if (text.length > beginning && !/^\s*[[{]|\n/.test(text.slice(0, beginning)))
          throw refused(file, 'is no log of requests; give what a tool wrote, a line for each');
        if (text.length - piece.length < beginning && isRaw(text.slice(0, beginning))) {
          reader = createRawReader(run, file);
          reader.push(text);
        }
      }
    }
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    // A killed k6 leaves a .gz without its end; the part that can be read is judged.
    const isCutShort = error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR';
    if (!isCutShort) throw refused(file, fileProblem(error, 'read'));
  }
  reader?.end();
  return reader === undefined ? text.replace(/^\ufeff/, '') : undefined;
}
