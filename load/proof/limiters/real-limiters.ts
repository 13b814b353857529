import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../../spec/proof/on-loopback.ts';

/** A limiter that somebody else wrote, where it listens, and what has to be said of it. */
export interface RealLimiter {
  readonly does: string;
  readonly url: string;
  readonly says: RegExp;
}

interface Running extends Disposable {
  readonly limiters: readonly RealLimiter[];
  /** What is not on this machine. */
  readonly missing: readonly string[];
}

const run = promisify(execFile);
const keeps = /: keeps the contract$/;
const lax = /too lax/;
const strict = /too strict/;

/** nginx's limit_req, by its arguments. */
const nginxes: readonly [does: string, rate: string, request: string, status: number, says: RegExp][] = [
  ['10r/s burst=20 nodelay', '10r/s', 'burst=20 nodelay', 429, keeps],
  ['10r/s burst=30 nodelay', '10r/s', 'burst=30 nodelay', 429, keeps],
  ['12r/s burst=20 nodelay', '12r/s', 'burst=20 nodelay', 429, lax],
  ['8r/s burst=20 nodelay', '8r/s', 'burst=20 nodelay', 429, strict],
  ['10r/s burst=60 nodelay', '10r/s', 'burst=60 nodelay', 429, lax],
  ['10r/s without burst', '10r/s', '', 429, strict],
  ['10r/s burst=20, with delay', '10r/s', 'burst=20', 429, /holds requests back/],
  ['10r/s burst=20 nodelay, status 503', '10r/s', 'burst=20 nodelay', 503, /answers 503 where 429 is due/],
];

/** Starts what is on this machine: nginx, HAProxy, and with Go and npm the libraries of those. @param folder for what they need */
export async function realLimiters(folder: string): Promise<Running> {
  const [limiters, missing, ends]: [RealLimiter[], string[], (() => void)[]] = [[], [], []];
  mkdirSync(folder, { recursive: true });
  for (const [name, start] of Object.entries({ nginx, HAProxy: haproxy, Go: go, npm })) {
    try {
      const started = await start(folder);
      limiters.push(...started.limiters);
      ends.push(started.end);
    } catch (error) {
      missing.push(`${name}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
    }
  }
  return { limiters, missing, [Symbol.dispose]: () => ends.map((end) => end()) };
}

interface Started {
  readonly limiters: readonly RealLimiter[];
  readonly end: () => void;
}

async function nginx(folder: string): Promise<Started> {
  const ports = await Promise.all(nginxes.map(freePort));
  const servers = nginxes.map(
    ([, rate, request, status], i) => `
    limit_req_zone $server_port zone=z${i}:1m rate=${rate};
    server {
      listen 127.0.0.1:${ports[i]} backlog=4096;
      limit_req zone=z${i} ${request};
      limit_req_status ${status};
      location / { try_files /ok =404; }
    }`,
  );
  mkdirSync(join(folder, 'html'), { recursive: true });
  writeFileSync(join(folder, 'html/ok'), 'ok');
  const configuration = `daemon off; worker_processes 2; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
  events { worker_connections 8192; }
  http { access_log off; root ${folder}/html; ${servers.join('')} }`;
  writeFileSync(join(folder, 'nginx.conf'), configuration);
  const end = await listening('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder], ports[0] ?? 0);
  const limiters = nginxes.map(
    ([does, , , , says], i): RealLimiter => ({ does: `nginx ${does}`, url: `http://127.0.0.1:${ports[i]}`, says }),
  );
  return { limiters, end };
}

/** What is over the limit counts too, so that an overloaded key gets next to nothing. */
async function haproxy(folder: string): Promise<Started> {
  const port = await freePort();
  writeFileSync(
    join(folder, 'haproxy.cfg'),
    `defaults
  mode http
  timeout client 60s
  timeout server 60s
  timeout connect 5s
frontend limited
  bind 127.0.0.1:${port}
  stick-table type integer size 10 expire 1m store http_req_rate(2s)
  http-request track-sc0 int(1)
  http-request return status 429 hdr Retry-After 1 if { sc_http_req_rate(0) gt 20 }
  http-request return status 200
`,
  );
  const end = await listening('haproxy', ['-f', join(folder, 'haproxy.cfg')], port);
  const says = /throttled requests take tokens|too strict/;
  return { limiters: [{ does: 'HAProxy http_req_rate(2s) gt 20', url: `http://127.0.0.1:${port}`, says }], end };
}

async function go(folder: string): Promise<Started> {
  const program = join(folder, 'go-limiters');
  if (!existsSync(program)) await run('go', ['build', '-o', program, '.'], { cwd: join(import.meta.dirname, 'go') });
  const { port, end } = await printing(program, []);
  const limiters = (
    [
      ['golang.org/x/time/rate 10, 20', 'x-time-rate', keeps],
      ['golang.org/x/time/rate 12, 20', 'x-time-rate-12', lax],
      ['throttled, GCRA of 10 and 19 more', 'throttled', keeps],
      ['juju/ratelimit 10, 20', 'juju', keeps],
      ['sethvargo/go-limiter 20 in 2 s', 'go-limiter', /window|too (lax|strict)/],
      ['uber/ratelimit 10', 'uber', /holds requests back/],
    ] as const
  ).map(([does, path, says]): RealLimiter => ({ does, url: `http://127.0.0.1:${port}/${path}`, says }));
  return { limiters, end };
}

async function npm(folder: string): Promise<Started> {
  const packages = ['express@5.3.0', 'express-rate-limit@8.7.4', 'rate-limiter-flexible@11.4.0', 'limiter@4.1.0'];
  if (!existsSync(join(folder, 'node_modules')))
    await run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefix', folder, ...packages]);
  const { port, end } = await printing(process.execPath, [join(import.meta.dirname, 'npm-limiters.mjs'), folder]);
  const window = /window|too (lax|strict)/;
  const limiters = (
    [
      ['express-rate-limit 20 in 2 s', 'express-rate-limit', window],
      ['rate-limiter-flexible 20 in 2 s', 'rate-limiter-flexible', window],
      ['rate-limiter-flexible, 10 in 1 s and a burst of 20 in 2 s', 'rate-limiter-flexible-bursty', window],
      ['limiter, TokenBucket 20 and 10 a second', 'limiter', keeps],
    ] as const
  ).map(([does, path, says]): RealLimiter => ({ does, url: `http://127.0.0.1:${port}/${path}`, says }));
  return { limiters, end };
}

/** Starts a server that prints its port once it listens. */
export function printing(
  program: string,
  args: readonly string[],
): Promise<{ readonly port: number; readonly end: () => void }> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}`)));
    child.stdout.once('data', (port) => resolve({ port: Number(port), end: () => void child.kill() }));
  });
}

/** Starts a server and waits until something answers at its port. */
async function listening(program: string, args: readonly string[], port: number): Promise<() => void> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  let ended: Error | undefined;
  child.once('error', (error) => {
    ended = error;
  });
  child.once('exit', (code) => {
    ended ??= new Error(`${program} ended with ${code}`);
  });
  for (let tries = 0; tries < 100; tries += 1) {
    if (ended !== undefined) throw ended;
    if (await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)) return () => void child.kill();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill();
  throw new Error(`${program} does not listen`);
}
