import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { globex } from '../../mock/proof/acme.ts';
import { onLoopback } from '../../spec/proof/processes.ts';
import { program } from '../release/program.ts';
import { latency } from './mock.ts';

const root = resolve(import.meta.dirname, '../..');
const partnerkit = [program, 'mock'];

/** Runs a command line that is expected to end by itself. */
const refused = (...args: string[]) =>
  promisify(execFile)(process.execPath, [...partnerkit, ...args], { cwd: root }).then(
    () => ({ code: 0, stdout: '', stderr: '' }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  );

/** Starts a mock, gives back what it printed first, and how it ended after Ctrl-C. */
async function started(...args: string[]) {
  const child = spawn(process.execPath, [...partnerkit, '--port', '0', ...args], { cwd: root });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const [first] = await once(child.stdout, 'data');
  return {
    printed: String(first),
    async interrupt() {
      child.kill('SIGINT');
      const [code] = await once(child, 'exit');
      return { code, errors };
    },
  };
}

it('prints address, tenants, keys and a curl line that works, and Ctrl-C closes it cleanly', async () => {
  const mock = await started();
  const curl = /^ {2}(curl .*)$/m.exec(mock.printed)?.[1] ?? 'false';
  const { stdout } = await promisify(execFile)('bash', ['-c', curl]);
  expect(JSON.parse(stdout).labels.length).toBeGreaterThan(5);
  for (const tenant of ['acme', 'globex', 'initech']) expect(mock.printed).toContain(tenant);
  expect(await mock.interrupt()).toEqual({ code: 0, errors: '' });
});

it('prints only the address with --quiet, and JSON with --json', async () => {
  const quiet = await started('--quiet');
  expect(quiet.printed).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
  await quiet.interrupt();
  const json = await started('--json', '--host', '::1');
  const event = JSON.parse(json.printed);
  expect([event.event, event.url, event.tenants.length]).toEqual([
    'listening',
    expect.stringMatching(/^http:\/\/\[::1\]:\d+$/),
    3,
  ]);
  await json.interrupt();
});

it('limits by --rate and --burst, or not at all, and signs for --public-url', async () => {
  const key = { 'x-api-key': 'acmefull-fake-secret-0000000000000001' };
  const statuses = async (url: string) =>
    (await Promise.all(Array.from({ length: 30 }, () => fetch(`${url}/v1/health`, { headers: key })))).map(
      ({ status }) => status,
    );
  const strict = await started('--quiet', '--rate', '0.1', '--burst', '3');
  expect((await statuses(strict.printed.trim())).filter((status) => status === 200)).toHaveLength(3);
  await strict.interrupt();

  const free = await started('--quiet', '--no-rate-limit', '--public-url', 'https://files.example.com/partner');
  expect(new Set(await statuses(free.printed.trim()))).toEqual(new Set([200]));
  const started201 = await fetch(`${free.printed.trim()}/v1/site/10042/file/upload-url`, {
    method: 'POST',
    body: '{"contentType":"a/b"}',
    headers: { ...key, 'content-type': 'application/json' },
  });
  expect((await started201.json()).uploadUrl).toMatch(/^https:\/\/files\.example\.com\/partner\/storage\//);
  await free.interrupt();
});

it('believes a proxy only with --trust-proxy', async () => {
  const trusting = await started('--quiet', '--trust-proxy');
  const reply = await fetch(`${trusting.printed.trim()}/v1/site/10042/file/upload-url`, {
    method: 'POST',
    body: '{"contentType":"a/b"}',
    headers: {
      'x-api-key': 'acmefull-fake-secret-0000000000000001',
      'content-type': 'application/json',
      'x-forwarded-host': 'api.example.com',
      'x-forwarded-proto': 'https',
    },
  });
  expect((await reply.json()).uploadUrl).toMatch(/^https:\/\/api\.example\.com\/storage\//);
  await trusting.interrupt();
});

it.each([
  [['--port', 'x'], /--port <number>.*whole number from 0 to 65535/],
  [['--port', '70000'], /whole number from 0 to 65535/],
  [['--prt', '1'], /unknown option '--prt'\n\(Did you mean --port\?\)/],
  [['--rate', '0'], /above 0/],
  [['--burst', '1.5'], /whole number of at least 1/],
  [['--public-url', 'https://files.example.com/?x'], /scheme, host and perhaps a path/],
  [['--public-url', 'files.example.com/x'], /scheme, host and perhaps a path/],
  [['--host', 'no.such.host.invalid'], /--host no\.such\.host\.invalid is not an address of this machine/],
  [['--fixtures', '/nowhere'], /\/nowhere: no such file or folder/],
])('%j is one clear line and exit code 2', async (args, message) => {
  const { code, stdout, stderr } = await refused(...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/^ +at /m);
});

it('names file and path of what is wrong in a fixture', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mock-command-'));
  writeFileSync(join(folder, 'umbrella.yaml'), 'tenant: umbrella\nkeys: []\nsites:\n  - { id: "1", labels: [vip] }\n');
  const { code, stderr } = await refused('--fixtures', folder);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/umbrella\.yaml: sites\[0\]\.labels\[0\]: .*vip/)]);
});

it('says so when the port is taken', async () => {
  const other = createServer();
  const { port } = new URL(await onLoopback(other));
  const { code, stderr } = await refused('--port', port);
  other.close();
  expect([code, stderr]).toEqual([
    2,
    `partnerkit: port ${port} on 127.0.0.1 is in use; stop the program that listens there, or give another --port (0 chooses a free one)\n`,
  ]);
});

it('behaves as a profile says, and refuses a profile that would break a documented rule', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-profile-'));
  const file = join(folder, 'acme.profile.yaml');
  writeFileSync(file, 'errors:\n  no-key: { status: 403, body: message }\noperations:\n  getHealth: { status: 203 }\n');
  const mock = await started('--quiet', '--profile', file);
  const url = mock.printed.trim();
  expect(await (await fetch(`${url}/v1/labels`)).json()).toEqual({ message: 'Forbidden' });
  const headers = { 'x-api-key': 'acmefull-fake-secret-0000000000000001' };
  expect((await fetch(`${url}/v1/health`, { headers })).status).toBe(203);
  await mock.interrupt();

  writeFileSync(file, 'errors:\n  no-key: { status: 401 }\n');
  expect(await refused('--profile', file)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^partnerkit: profile: errors\.no-key\.status: .*auth\/no-key-is-403.*\n$/),
  });
});

it('sends what it does not know to a deployment with --passthrough, and says so', async () => {
  const deployment = await started('--quiet');
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-'));
  const target = join(folder, 'staging.target.yaml');
  const key = { name: 'theirs', secret: 'globfull-fake-secret-0000000000000101', scopes: ['conversation:read'] };
  writeFileSync(
    target,
    JSON.stringify({ baseUrl: deployment.printed.trim(), tenants: [{ name: 'mine', keys: [key] }] }),
  );
  const tenant = join(folder, 'mine.yaml');
  writeFileSync(
    tenant,
    JSON.stringify({ tenant: 'mine', keys: [], labels: [{ id: randomUUID(), name: 'own', visibility: 'public' }] }),
  );

  const mock = await started('--passthrough', target, '--fixtures', tenant, '--log', '--json');
  const { url, passesTo } = JSON.parse(mock.printed.split('\n')[0] ?? '');
  const ask = async (path: string) => (await fetch(url + path, { headers: { 'x-api-key': key.secret } })).json();
  expect((await ask('/v1/labels')).labels).toMatchObject([{ name: 'own' }]);
  expect(await ask(`/v1/conversation/${globex.open}`)).toMatchObject({ id: globex.open });
  const { exchanges } = await (await fetch(`${url}/_mock/journal`)).json();
  expect(exchanges.map(({ passedTo }: { passedTo: string | null }) => passedTo)).toEqual([null, passesTo]);
  expect(passesTo).toBe(deployment.printed.trim());
  expect(mock.printed).not.toContain(key.secret);
  await Promise.all([mock.interrupt(), deployment.interrupt()]);
  expect((await refused('--passthrough', 'http://127.0.0.1:1', '--host', '0.0.0.0')).stderr).toMatch(
    /passthrough: a mock that sends requests to http:\/\/127.0.0.1:1 must listen on 127.0.0.1/,
  );
});

it('reads a latency', () => {
  expect(latency('200ms')).toBe('200ms');
  expect(latency('2s')).toBe('2s');
  expect(latency('tail:50ms,2s')).toEqual({ median: '50ms', p99: '2s' });
  for (const wrong of ['', '200', 'fast', 'tail:2s,1s', 'tail:0,1s'])
    expect(() => latency(wrong)).toThrow('Forms: 200ms');
});
