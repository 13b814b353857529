import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Shot {
  readonly url: string;
  readonly method: 'GET' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  /** Seconds. */
  readonly duration: number;
}

interface Outcome {
  readonly requests: number;
  readonly perSecond: number;
  /** Replies that were no 2xx. */
  readonly refused: number;
}

const run = promisify(execFile);

/** Requests under way at once. */
const connections = 32;

/** Sends requests from another process as fast as the server answers, one at a time on each connection. */
export type Fire = (shot: Shot) => Promise<Outcome>;

/** wrk if it is installed, because it needs less of the processor; otherwise autocannon. */
export async function loadTool(): Promise<{ readonly name: string; readonly fire: Fire }> {
  const installed = await run('wrk', ['-v']).then(
    () => true,
    // It has no way to tell its version without failing.
    ({ code }: { code: unknown }) => code !== 'ENOENT',
  );
  return installed ? { name: 'wrk', fire: wrk } : { name: 'autocannon', fire: autocannon };
}

async function wrk({ url, method, headers, duration }: Shot): Promise<Outcome> {
  const script = join(tmpdir(), `partnerkit-bench-${method}.lua`);
  await writeFile(script, `wrk.method = "${method}"\n`);
  const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const { stdout } = await run('wrk', ['-t1', `-c${connections}`, `-d${duration}s`, '-s', script, ...fields, url]);
  const figure = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? 0);
  return {
    requests: figure(/(\d+) requests in/),
    perSecond: figure(/Requests\/sec:\s+([\d.]+)/),
    refused: figure(/Non-2xx or 3xx responses: (\d+)/),
  };
}

async function autocannon({ url, method, headers, duration }: Shot): Promise<Outcome> {
  const program = createRequire(import.meta.url).resolve('autocannon');
  const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const flags = ['--json', '-c', String(connections), '-d', String(duration), '-m', method];
  const { stdout } = await run(process.execPath, [program, ...flags, ...fields, url]);
  const { requests, duration: took, non2xx } = JSON.parse(stdout);
  return { requests: requests.total, perSecond: requests.total / took, refused: non2xx };
}
