import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { onLoopback } from '../../../../spec/proof/on-loopback.ts';
import type { Measurement } from '../report/measurement.ts';
import { summaryOf } from '../report/summary.ts';
import { checkout, installed, preparePackage, program } from '../server/program.ts';

const megabyte = 1024 * 1024;

/** About 50 KB on the wire. */
const bomb = gzipSync(Buffer.alloc(50 * megabyte, 0x20), { level: 9 });

/** The peak memory of commands with all their children (Node and k6), while every reply unpacks to 50 MB. */
export async function hostileReply(scenarios: readonly string[]): Promise<Measurement> {
  preparePackage();
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb);
  });
  const baseUrl = await onLoopback(server);
  const folder = await mkdtemp(join(tmpdir(), 'partnerkit-bench-'));
  try {
    const target = parse(await readFile(join(checkout, 'fixtures/mock.target.yaml'), 'utf8'));
    const file = join(folder, 'target.json');
    await writeFile(file, JSON.stringify({ ...target, baseUrl }));
    const most: [what: string, bytes: number][] = [];
    for (const scenario of scenarios)
      most.push([scenario, await peakOf(['load', 'run', scenario, '--duration', '5s', '--quiet', '--target', file])]);
    const inMegabytes = most.map(([what, bytes]) => [what, Math.round(bytes / megabyte)] as const);
    return {
      goal: 'hostileReply',
      figure: summaryOf([Math.max(...inMegabytes.map(([, figure]) => figure))]),
      unit: 'MB',
      detail: `${bomb.length.toLocaleString('en')} bytes a reply; ${inMegabytes.map(([what, figure]) => `load run ${what} ${figure} MB`).join(', ')}`,
    };
  } finally {
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true });
  }
}

/** Runs the command. @returns the peak memory of the command with all its children, in bytes */
async function peakOf(args: readonly string[]): Promise<number> {
  const env = { ...process.env, PATH: `${join(checkout, '.cache/bin')}:${process.env.PATH}` };
  const child = spawn(process.execPath, [program, ...args], { cwd: installed, env, stdio: 'ignore' });
  let running = true;
  const ended = once(child, 'exit').finally(() => {
    running = false;
  });
  let most = 0;
  while (running) {
    most = Math.max(most, await residentBelow(child.pid ?? 0));
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  await ended;
  return most;
}

/** The resident memory of a process and its descendants in bytes, from /proc. */
async function residentBelow(root: number): Promise<number> {
  const processes = new Map<number, { readonly parent: number; readonly resident: number }>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // A process may have ended meanwhile.
    const status = await readFile(`/proc/${name}/status`, 'utf8').catch(() => '');
    const number = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
    processes.set(Number(name), { parent: number('PPid'), resident: number('VmRSS') * 1024 });
  }
  const below = (pid: number): number =>
    (processes.get(pid)?.resident ?? 0) +
    [...processes].reduce((sum, [child, { parent }]) => (parent === pid ? sum + below(child) : sum), 0);
  return below(root);
}
