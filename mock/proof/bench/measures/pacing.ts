import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Measurement } from '../report/measurement.ts';
import { summaryOf } from '../report/summary.ts';
import { checkout, installed, preparePackage, program, startProgram } from '../server/program.ts';
import { latenessOf, sentTimes } from '../traffic/lateness.ts';

const perSecond = 10;

/** How exactly k6 keeps the schedule of the scenario `paced`, according to its raw output. */
export async function pacing(seconds: number): Promise<Measurement> {
  preparePackage();
  const mock = await startProgram([program, 'mock', '--port', '0', '--quiet']);
  const folder = await mkdtemp(join(tmpdir(), 'partnerkit-bench-'));
  try {
    const target = parse(await readFile(join(checkout, 'fixtures/mock.target.yaml'), 'utf8'));
    const file = join(folder, 'target.json');
    await writeFile(file, JSON.stringify({ ...target, baseUrl: mock.url }));
    const raw = join(folder, 'raw.json');
    const env = { ...process.env, PATH: `${join(checkout, '.cache/bin')}:${process.env.PATH}` };
    const flags = ['--target', file, '--duration', `${seconds}s`, '--raw', raw, '--quiet'];
    await new Promise<void>((resolve, reject) => {
      execFile(
        process.execPath,
        [program, 'load', 'run', 'paced', ...flags],
        { cwd: installed, env },
        (error, _, stderr) => {
          // The verdict does not matter here, because the requests were sent in any case.
          if (error === null || error.code === 1) resolve();
          else reject(new Error(`load run paced ended with ${error.code}: ${stderr.trim().split('\n').at(-1)}`));
        },
      );
    });
    const late = latenessOf(sentTimes(await readFile(raw, 'utf8')), 1000 / perSecond).sort((a, b) => a - b);
    const at = (part: number) => late[Math.min(late.length - 1, Math.floor(late.length * part))] ?? Number.NaN;
    if (late.length < seconds * perSecond * 0.9) throw new Error(`k6 sent only ${late.length} requests`);
    return {
      goal: 'pacing',
      figure: summaryOf([at(0.99)]),
      unit: 'ms',
      detail: `${late.length} requests in ${seconds} s; median ${at(0.5).toFixed(2)} ms, latest ${at(1).toFixed(1)} ms`,
    };
  } finally {
    await mock.stop();
    await rm(folder, { recursive: true });
  }
}
