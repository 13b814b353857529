import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { acme } from '../../mock/acme.ts';

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
  /undici|node_modules\/(?:express|yaml|zod|ajv|msw|@msw)\/|reply-validators|spec\/generated\/rules|openapi\.json/;

it('loads nothing for the first reply of a mock that this reply does not need', async () => {
  const mock = spawn(process.execPath, [...watched, 'mock', '--port', '0', '--quiet'], { cwd: root });
  let loaded = '';
  mock.stderr.on('data', (chunk) => {
    loaded += chunk;
  });
  const [address] = await once(mock.stdout, 'data');
  const reply = await fetch(`${String(address).trim()}/v1/health`, { headers: { 'x-api-key': acme.full } });
  expect(reply.status).toBe(200);
  mock.kill('SIGINT');
  await once(mock, 'close');
  expect(loaded).toContain('mock/handle.ts');
  expect(loaded.split('\n').filter((name) => needless.test(name))).toEqual([]);
});

it('loads nothing of the mock, of Node’s network or of the rules to print help', async () => {
  const { stderr } = await promisify(execFile)(process.execPath, [...watched, '--help'], { cwd: root });
  expect(stderr).toContain('bin/create-program.ts');
  expect(stderr.split('\n').filter((name) => /mock\/(?:index|handle)\.ts|_http_server|_tls_/.test(name))).toEqual([]);
  expect(stderr.split('\n').filter((name) => needless.test(name))).toEqual([]);
});
