import { execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, existsSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { acme } from '../acme.ts';

/** This checkout. */
export const checkout = fileURLToPath(new URL('../../../', import.meta.url));

/** The built package in a folder of its own, so that a build in the meantime changes nothing. What it depends on is found above. */
export const installed = join(checkout, '.cache/bench/package/');

/** The program as users run it. From source, Node would also need memory to strip types. */
export const program = join(installed, 'dist/bin/partnerkit.cjs');

let prepared = false;

/** Copies the built package once for all parts. @throws Error if there is no build */
export function preparePackage(): void {
  if (prepared) return;
  const dist = join(checkout, 'dist');
  if (!existsSync(join(dist, 'chunks'))) throw new Error(`${dist} holds no whole build; run npm run build first`);
  rmSync(installed, { recursive: true, force: true });
  cpSync(dist, join(installed, 'dist'), { recursive: true });
  copyFileSync(join(checkout, 'package.json'), join(installed, 'package.json'));
  prepared = true;
}

/** What a server process has used so far. */
export interface Usage {
  /** Seconds of processor time, all threads. */
  readonly seconds: number;
  /** Bytes resident. */
  readonly resident: number;
}

/** A server in a process of its own, so that only the server is measured. */
export interface ServerProcess {
  readonly url: string;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

/**
 * Starts `serve.ts` and waits until it listens.
 * @param settings what to serve, as `serve.ts` reads it
 */
export async function startServer(settings: object): Promise<ServerProcess> {
  const child = fork(new URL('./serve.ts', import.meta.url), [JSON.stringify(settings)]);
  const ended = once(child, 'exit');
  const answer = async () => {
    const [message] = await Promise.race([once(child, 'message'), ended]);
    if (typeof message !== 'number' && message !== null) return message;
    throw new Error(`the server of ${JSON.stringify(settings)} ended with ${message}; its own error stands above`);
  };
  return {
    url: await answer(),
    usage: async () => {
      child.send('usage');
      return answer();
    },
    async stop() {
      child.kill();
      await ended;
    },
  };
}

/** A server that was started as a user starts it, and has answered once. */
interface RunningCommand {
  /** Milliseconds from the start of the process to its first 200. */
  readonly took: number;
  readonly url: string;
  stop(): Promise<void>;
}

interface FirstRequest {
  readonly path?: string;
  /** An API key that the server knows. */
  readonly key?: string;
  /** Where it listens, if it does not print it. */
  readonly at?: string;
}

/** Starts Node with these arguments, waits for the address that it prints, and for the first 200. */
export async function startCommand(
  args: readonly string[],
  { path = '/v1/health', key = acme.full, at }: FirstRequest = {},
): Promise<RunningCommand> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { cwd: installed, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const kill = () => child.kill();
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const stop = async () => {
    kill();
    await ended;
  };
  const [line] = at === undefined ? await Promise.race([once(child.stdout, 'data'), ended]) : [at];
  const url = /http:\/\/[\d.]+:\d+/.exec(String(line))?.[0];
  while (url !== undefined && child.exitCode === null && performance.now() < startedAt + 60_000) {
    const reply = await fetch(url + path, { headers: { 'x-api-key': key } }).catch(() => null);
    if (reply?.ok) return { took: performance.now() - startedAt, url, stop };
    await sleep(5);
  }
  await stop();
  throw new Error(`${args.join(' ')} did not answer ${path} with 200; it printed ${line}`);
}

export interface Shot {
  readonly url: string;
  readonly method: 'GET' | 'PUT';
  /** Seconds. */
  readonly duration: number;
}

/** Requests under way at once. */
const connections = 32;

/** Sends requests from another process as fast as the server answers, one at a time on each connection. */
export async function fire({ url, method, duration }: Shot) {
  const load = createRequire(import.meta.url).resolve('autocannon');
  const flags = ['--json', '-c', String(connections), '-d', String(duration), '-m', method];
  const { stdout } = await promisify(execFile)(process.execPath, [load, ...flags, '-H', `x-api-key=${acme.full}`, url]);
  const { requests, duration: took, non2xx: refused } = JSON.parse(stdout);
  return { requests: Number(requests.total), perSecond: requests.total / took, refused: Number(refused) };
}
