import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { fileProblem } from '../../spec/files/file-problem.ts';
import { reportOf } from '../report/report-of.ts';
import type { LoadReport } from '../report/report-schema.ts';
import { scenarioPlan } from '../scenarios/all.ts';
import { joinRuns } from '../verdict/join-runs.ts';
import { judgeRun } from '../verdict/judge-run.ts';
import { createRawRun, type RawRun } from '../verdict/raw-run.ts';
import { createRawReader } from '../verdict/read-raw.ts';

/**
 * The report on raw outputs of k6, merged: what several machines, or several runs, did with the same keys is judged together.
 * @throws ConfigurationError for a file that cannot be read, and for files of no scenario or of several
 */
export async function judgeFiles(
  files: readonly string[],
  { kit, skewMs }: { readonly kit: string; readonly skewMs?: number | undefined },
): Promise<LoadReport> {
  const runs: RawRun[] = [];
  for (const file of files) runs.push(await readRun(file));
  const run = joinRuns(runs, skewMs);
  const [name, ...others] = run.scenarios;
  if (name === undefined) {
    throw new ConfigurationError([
      `${files.join(', ')}: no scenario of partnerkit has begun there; give what k6 wrote with --out json=FILE`,
    ]);
  }
  const plan = scenarioPlan(name);
  if (plan === undefined || others.length > 0) {
    throw new ConfigurationError([
      `${files.join(', ')}: cannot judge ${[name, ...others].join(' and ')} together; give files of one scenario`,
    ]);
  }
  return reportOf(run, judgeRun(run, plan), { kit, scenario: name, target: '' });
}

async function readRun(file: string): Promise<RawRun> {
  const run = createRawRun();
  const reader = createRawReader(run, file);
  const stream = createReadStream(file);
  try {
    const text = file.endsWith('.gz') ? stream.pipe(createGunzip()).setEncoding('utf8') : stream.setEncoding('utf8');
    stream.on('error', (error) => text.destroy(error));
    for await (const piece of text) reader.push(String(piece));
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    // A killed k6 leaves a .gz without its end; the part that can be read is judged.
    const cutShort = error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR';
    if (!cutShort) throw new ConfigurationError([`${file}: ${fileProblem(error, 'read')}`]);
  }
  reader.end();
  return run;
}
