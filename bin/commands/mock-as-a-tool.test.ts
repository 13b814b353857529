import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { program } from '../release/program.ts';

const root = resolve(import.meta.dirname, '../..');
const partnerkit = [program, 'mock'];
const acmeFull = 'acmefull-fake-secret-0000000000000001';
const headers = { 'x-api-key': acmeFull };

const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
});

/** Starts a mock; `printed` waits for a line of either stream that fits, and gives back everything up to it. */
async function started(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [...partnerkit, '--port', '0', ...args], {
    cwd: root,
    env: { ...process.env, ...env },
  });
  running.add(child);
  let text = '';
  const printed = (wanted: RegExp) =>
    new Promise<string>((done, failed) => {
      const look = () => {
        if (wanted.test(text)) done(text);
      };
      for (const stream of [child.stdout, child.stderr]) stream.on('data', look);
      child.once('exit', () => failed(new Error(`it ended before it printed ${wanted}: ${text}`)));
      look();
    });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk;
    });
  }
  const url = /https?:\/\/[^\s"]+:\d+/.exec(await printed(/https?:\/\/[^\s"]+:\d+.*\n/))?.[0] ?? '';
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const [code] = await once(child, 'exit');
    running.delete(child);
    return { code, text };
  };
  return { url, printed, end };
}

const scratch = () => mkdtempSync(join(tmpdir(), 'partnerkit-'));
const site = '/v1/site/10042/label/1abe1001-0000-4000-8000-000000000001';

it('--state: after kill -9, the next mock starts with the last saved state', async () => {
  const file = join(scratch(), 'state.json');
  const one = await started(['--quiet', '--state', file]);
  await fetch(one.url + site, { method: 'PUT', headers });
  const { secret } = await (
    await fetch(`${one.url}/_mock/keys`, {
      method: 'POST',
      body: JSON.stringify({ tenant: 'acme', name: 'mine', scopes: [] }),
      headers: { 'content-type': 'application/json' },
    })
  ).json();
  const snapshot = async (url: string) => (await (await fetch(`${url}/_mock/snapshot`)).json()).tenants;
  // Saved within a second.
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8'), { timeout: 10_000 }).toContain('"mine"');
  const before = await snapshot(one.url);
  expect(before[0].labels).toMatchObject([{ site: '10042' }]);
  await one.end('SIGKILL');
  const two = await started(['--quiet', '--state', file]);
  expect(await snapshot(two.url)).toEqual(before);
  expect((await fetch(`${two.url}/v1/health`, { headers: { 'x-api-key': secret } })).status).toBe(200);
  expect(readFileSync(file, 'utf8')).not.toContain(secret);
  // Saved at the end, without being asked to.
  await fetch(two.url + site, { method: 'DELETE', headers });
  expect((await two.end('SIGHUP')).code).toBe(0);
  // As its seed has it again: that is no change to be kept.
  expect(JSON.parse(readFileSync(file, 'utf8')).tenants[0].labels).toEqual([]);
});

it('--fixtures: a valid change of a file takes effect at once, an invalid one changes nothing and is reported in one line', async () => {
  const folder = scratch();
  cpSync(join(root, 'fixtures'), folder, { recursive: true });
  const file = join(folder, 'globex.yaml');
  const original = readFileSync(file, 'utf8');
  const mock = await started(['--quiet', '--fixtures', folder]);
  const description = async () => (await (await fetch(`${mock.url}/_mock/tenants/globex`)).json()).description;
  writeFileSync(file, original.replace(/^tenant:.*$/m, 'tenant: [globex'));
  const complaint = (await mock.printed(/the changed fixtures have a mistake.*\n/))
    .split('\n')
    .filter((line) => line.startsWith('partnerkit:'));
  expect(complaint).toEqual([
    expect.stringMatching(
      /^partnerkit: the changed fixtures have a mistake, so the old ones stay: .*globex\.yaml:\d+:\d+: /,
    ),
  ]);
  expect(await description()).toMatch(/Globex/);
  writeFileSync(file, original.replace(/^description:.*$/m, 'description: changed while it ran'));
  await expect.poll(description).toBe('changed while it ran');
  await mock.end('SIGINT');
  rmSync(folder, { recursive: true });
});

it('--log prints requests for people or machines, and --quiet nothing', async () => {
  const plain = await started(['--log'], { NO_COLOR: '1' });
  await fetch(`${plain.url}/v1/labels`, { headers });
  await fetch(`${plain.url}/v1/nothing`, { headers });
  const text = await plain.printed(/404 GET/);
  expect(text).toMatch(/^\d\d:\d\d:\d\d\.\d{3}Z 200 GET {4}\/v1\/labels {2}acme\/full {2}[\d.]+ ms$/m);
  expect(text).toMatch(/404 GET {4}\/v1\/nothing .* No operation at \/v1\/nothing\./);
  await plain.end('SIGINT');

  const coloured = await started(['--log'], { FORCE_COLOR: '1', NO_COLOR: '' });
  await fetch(`${coloured.url}/v1/labels`, { headers });
  expect(await coloured.printed(/ms\n/)).toContain('\u001b[32m200');
  await coloured.end('SIGINT');

  const json = await started(['--log', '--json']);
  await fetch(`${json.url}/v1/labels`);
  const line = (await json.printed(/"request"/)).trim().split('\n').at(-1) ?? '';
  expect(JSON.parse(line)).toMatchObject({
    event: 'request',
    url: '/v1/labels',
    status: 403,
    refused: 'no-key',
    rule: 'auth/no-key-is-403',
  });
  await json.end('SIGINT');

  const quiet = await started(['--log', '--quiet']);
  await fetch(`${quiet.url}/v1/labels`, { headers });
  expect((await quiet.end('SIGINT')).text).toBe(`${quiet.url}\n`);
});

it('--latency holds replies back, --control-token guards /_mock', async () => {
  const mock = await started(['--quiet', '--latency', '80ms', '--control-token', 'a-token-of-mine']);
  const startedAt = performance.now();
  await fetch(`${mock.url}/v1/labels`, { headers });
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(79);
  expect((await fetch(`${mock.url}/_mock/health`)).status).toBe(401);
  expect(
    (await fetch(`${mock.url}/_mock/health`, { headers: { authorization: 'Bearer a-token-of-mine' } })).status,
  ).toBe(200);
  await mock.end('SIGINT');
});

it('takes the control token from the environment, where `ps` does not show it', async () => {
  const mock = await started(['--quiet'], { PARTNERKIT_CONTROL_TOKEN: 'a-token-of-mine' });
  const health = (headers: Record<string, string>) => fetch(`${mock.url}/_mock/health`, { headers });
  expect((await health({})).status).toBe(401);
  expect((await health({ authorization: 'Bearer a-token-of-mine' })).status).toBe(200);
  await mock.end('SIGINT');
});

it('--state: a second mock is refused while the first one runs, and not after it was killed', async () => {
  const file = join(scratch(), 'state.json');
  const one = await started(['--quiet', '--state', file]);
  await expect(started(['--quiet', '--state', file])).rejects.toThrow(
    /partnerkit: --state .*state\.json is in use by process \d+ since .*; end that process/,
  );
  await one.end('SIGKILL');
  const two = await started(['--quiet', '--state', file]);
  await two.end('SIGINT');
});

it('--storage-limit bounds what is uploaded', async () => {
  const mock = await started(['--quiet', '--storage-limit', '1KB']);
  const upload = await fetch(`${mock.url}/v1/site/10042/file/upload-url`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{"contentType":"a/b"}',
  });
  const { uploadUrl } = (await upload.json()) as { uploadUrl: string };
  const put = (body: string) => fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'a/b' }, body });
  expect([(await put('x'.repeat(1_001))).status, (await put('x'.repeat(1_000))).status]).toEqual([507, 200]);
  await mock.end('SIGINT');
});

it.each([['--log'], ['--json', '--log']])('prints no token that was given: %s', async (...flags) => {
  const mock = await started([...flags, '--control-token', 'a-token-of-mine']);
  const authorization = 'Bearer a-token-of-mine';
  expect((await fetch(`${mock.url}/_mock/health`, { headers: { authorization } })).status).toBe(200);
  await fetch(`${mock.url}/v1/labels?token=a-token-of-mine`, { headers: { ...headers, authorization } });
  await mock.printed(/labels/);
  expect((await mock.end('SIGINT')).text).not.toContain('a-token-of-mine');
});

it('prints the token that it has generated when other machines can reach it', async () => {
  const mock = await started(['--host', '0.0.0.0']);
  const [, token] = /Authorization: Bearer (\S+)"/.exec(await mock.printed(/Ctrl-C/)) ?? [];
  expect((await fetch(`${mock.url}/_mock/health`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
  await mock.end('SIGINT');
});

it.each([
  [['--latency', 'slow'], 'Forms: 200ms'],
  [['--control-token', 'short'], '8 to 200 visible characters'],
  [['--tls-cert', 'x.pem'], '--tls-key: is missing: give both'],
  [['--tls-cert', 'x.pem', '--tls-key', 'y.pem'], '--tls-cert: cannot be read'],
  [['--tls-cert', 'package.json', '--tls-key', 'package.json'], '--tls-cert: must be PEM text'],
  [['--state', 'package.json'], 'version'],
  [['--storage-limit', 'much'], 'such as 500MB or 20GB'],
])('%j is refused with exit code 2: %s', async (args, message) => {
  // In a folder of its own: `--state` puts files beside the one that it is given.
  const cwd = scratch();
  cpSync(join(root, 'package.json'), join(cwd, 'package.json'));
  const { code, stderr } = (await promisify(execFile)(process.execPath, [...partnerkit, '--port', '0', ...args], {
    cwd,
  }).catch((error: { code: number; stderr: string }) => error)) as { code: number; stderr: string };
  rmSync(cwd, { recursive: true });
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});
