import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import * as net from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { acme } from '../../mock/proof/acme.ts';
import { generatedTenant } from '../../mock/seed/generated-tenant.ts';

const root = resolve(import.meta.dirname, '../..');

/** Tells at the end of a process what it loaded: files, packages and the parts of Node itself. */
const witness = `
import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
process.on('exit', () => process.stderr.write([...loaded, ...process.moduleLoadList].join('\\n')));`;

const watched = ['--import', `data:text/javascript,${encodeURIComponent(witness)}`, 'bin/partnerkit.ts'];

/** What time to the first reply depends on: each of these takes longer than all of the mock. */
const needless =
  /undici|node_modules\/(?:express|yaml|ajv|msw|@msw)\/|reply-validators|spec\/generated\/rules|openapi\.json/;

/** What a mock has loaded when it has answered its first request. */
async function loadedForReply(key: string, ...flags: readonly string[]): Promise<string[]> {
  const mock = spawn(process.execPath, [...watched, 'mock', '--port', '0', '--quiet', ...flags], { cwd: root });
  let loaded = '';
  mock.stderr.on('data', (chunk) => {
    loaded += chunk;
  });
  const [address] = await once(mock.stdout, 'data');
  const reply = await fetch(`${String(address).trim()}/v1/health`, { headers: { 'x-api-key': key } });
  expect(reply.status).toBe(200);
  mock.kill('SIGINT');
  await once(mock, 'close');
  expect(loaded).toContain('mock/handle.ts');
  return loaded.split('\n');
}

it('loads only the modules that the first reply needs', async () => {
  const loaded = await loadedForReply(acme.full);
  expect(loaded.filter((name) => needless.test(name))).toEqual([]);
  // The packaged keys are known with their hashes, and an address in digits needs no resolver.
  const ofNode =
    'BoundSocket' in net ? /^NativeModule (?:dns|internal\/crypto\/.*)$/ : /^NativeModule internal\/crypto\/.*$/;
  expect(loaded.filter((name) => ofNode.test(name))).toEqual([]);
});

it('loads neither YAML nor schemas for the packaged tenants', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'partnerkit-')), 'large.tenant.jsonl');
  const options = { tenant: 'large', conversations: 3, seed: 1, keys: 1 };
  writeFileSync(file, [...generatedTenant(options)].join(''));
  const loaded = await loadedForReply('00000001-large-fake-secret', '--fixtures', file);
  expect(loaded.filter((name) => needless.test(name))).toEqual([]);
});

it('loads no module of the mock, of Node’s network or of the rules to print help', async () => {
  const { stderr } = await promisify(execFile)(process.execPath, [...watched, '--help'], { cwd: root });
  expect(stderr).toContain('bin/create-program.ts');
  expect(stderr.split('\n').filter((name) => /mock\/(?:index|handle)\.ts|_http_server|_tls_/.test(name))).toEqual([]);
  expect(stderr.split('\n').filter((name) => needless.test(name))).toEqual([]);
});
