import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Measurement } from '../report/measurement.ts';
import { summaryOf } from '../report/summary.ts';
import { checkout, preparePackage, program, startProgram } from '../server/program.ts';

/** The fields of the JSON report that are needed here. */
interface Report {
  readonly verdict: string;
  readonly durationMilliseconds: number;
  readonly pace: { readonly key: string; readonly requests: number; readonly milliseconds: number } | null;
  readonly requests: Readonly<Record<string, number>>;
}

interface TargetFile {
  baseUrl: string;
  readonly tenants: { keys: { use?: string; rateLimit?: { perSecond: number; burst: number } }[] }[];
}

/** Runs the built command against a mock that was started for it. */
async function run(flags: readonly string[], describe: (target: TargetFile) => void): Promise<Report> {
  const mock = await startProgram([program, 'mock', '--port', '0', '--quiet', ...flags]);
  const folder = await mkdtemp(join(tmpdir(), 'partnerkit-bench-'));
  try {
    const target: TargetFile = parse(await readFile(join(checkout, 'fixtures/mock.target.yaml'), 'utf8'));
    target.baseUrl = mock.url;
    describe(target);
    const file = join(folder, 'target.json');
    const report = join(folder, 'report.json');
    await writeFile(file, JSON.stringify(target));
    const options = ['--target', file, '--report', `json=${report}`, '--journal', folder, '--allow-not-run'];
    await new Promise<void>((resolve, reject) => {
      execFile(process.execPath, [program, 'conformance', 'run', ...options], (error, _, stderr) => {
        if (error === null) resolve();
        else reject(new Error(`conformance run ended with ${error.code}: ${stderr.trim().split('\n').at(-1)}`));
      });
    });
    return JSON.parse(await readFile(report, 'utf8'));
  } finally {
    await mock.stop();
    await rm(folder, { recursive: true });
  }
}

/** Describes a deployment without limits, by limits that no run reaches. */
function unlimited(target: TargetFile): void {
  for (const tenant of target.tenants) {
    tenant.keys = tenant.keys.filter(({ use }) => use !== 'limits');
    for (const key of tenant.keys) key.rateLimit = { perSecond: 10_000, burst: 20_000 };
  }
}

/** How long a conformance run takes at the limits of the contract, and without limits. */
export async function conformance(): Promise<Measurement[]> {
  preparePackage();
  const limited = await run([], () => {});
  const free = await run(['--no-rate-limit'], unlimited);
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);
  const sent = ({ requests }: Report) => Object.values(requests).reduce((sum, count) => sum + count, 0);
  if (limited.pace === null) throw new Error('the run found no limit that it had to keep to');
  const { key, requests, milliseconds } = limited.pace;
  return [
    {
      goal: 'conformanceTime',
      figure: summaryOf([limited.durationMilliseconds / 1000]),
      unit: 's',
      detail: `${sent(limited)} requests, ${limited.verdict}; ${requests} requests of ${key} take ${seconds(milliseconds)} s at its limit`,
    },
    {
      goal: 'conformanceUnlimited',
      figure: summaryOf([free.durationMilliseconds / 1000]),
      unit: 's',
      detail: `${sent(free)} requests, ${free.verdict}`,
      reason: '2.2 s are the pause in which caches with a life of two seconds expire; a shorter one does not find them',
    },
  ];
}
