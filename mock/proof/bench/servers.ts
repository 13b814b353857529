import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { acme } from '../acme.ts';

const checkout = fileURLToPath(new URL('../../../', import.meta.url));

/** What the bench writes. */
export const cache = join(checkout, '.cache/bench');

/** The program as it was built, as users run it. From source, Node would also need memory to strip types. */
export const program = join(checkout, 'dist/bin/partnerkit.cjs');

export type Server = Awaited<ReturnType<typeof startServer>>;

/**
 * A server in a process of its own, as a user starts it: starts Node with these arguments, waits for the address that it prints, and for its first reply.
 * @param key an API key that the server knows
 */
export async function startServer(args: readonly string[], key: string = acme.full) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { cwd: checkout, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const kill = () => child.kill();
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const stop = async () => {
    kill();
    await ended;
  };
  /** What the process has used so far: seconds of processor time, of all threads, and bytes resident. Linux tells it. */
  const used = () => {
    const of = (file: string) => readFileSync(`/proc/${child.pid}/${file}`, 'utf8');
    const [user = 0, system = 0] = of('stat')
      .replace(/^.*\) /, '')
      .split(' ')
      .slice(11, 13)
      .map(Number);
    const [, resident = 0] = of('statm').split(' ').map(Number);
    return { seconds: (user + system) / 100, resident: resident * 4096 };
  };
  const [line] = await Promise.race([once(child.stdout, 'data'), ended]);
  const url = /http:\/\/[\d.]+:\d+/.exec(String(line))?.[0];
  while (url !== undefined && child.exitCode === null && performance.now() < startedAt + 60_000) {
    const reply = await fetch(`${url}/v1/health`, { headers: { 'x-api-key': key } }).catch(() => null);
    // Milliseconds from the start of the process to its first reply.
    if (reply !== null) return { took: performance.now() - startedAt, url, used, stop };
    await sleep(5);
  }
  await stop();
  throw new Error(`${args.join(' ')} did not answer; it printed ${line}`);
}

/** Runs a process to its end: milliseconds it took, and what it printed. */
export async function untilEnded(args: readonly string[]): Promise<{ took: number; printed: string }> {
  const startedAt = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, [...args], { cwd: checkout });
  return { took: performance.now() - startedAt, printed: stdout };
}

/** Requests under way at once. */
const connections = 32;

/** Sends requests from another process for some seconds, as fast as the server answers, one at a time on each connection. */
export async function fire(url: string, method: 'GET' | 'PUT', seconds: number) {
  const load = createRequire(import.meta.url).resolve('autocannon');
  const flags = ['--json', '-c', String(connections), '-d', String(seconds), '-m', method];
  const { printed } = await untilEnded([load, ...flags, '-H', `x-api-key=${acme.full}`, url]);
  const { requests, non2xx } = JSON.parse(printed);
  return { requests: Number(requests.total), refused: Number(non2xx) };
}
