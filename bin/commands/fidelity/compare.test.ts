import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { createMock, type MockOptions } from '../../../mock/index.ts';
import { readYamlFile } from '../../../spec/files/read-file.ts';
import { program } from '../../release/program.ts';

const root = resolve(import.meta.dirname, '../../..');
const run = (file: string, args: readonly string[], cwd: string, env = {}) =>
  promisify(execFile)(file, args, { cwd, env: { ...process.env, ...env }, timeout: 120_000 }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  );

/** A folder with a target file for a mock. Its keys are as fast as the mock. */
async function deployment(folder: string, name: string, options: MockOptions = {}) {
  const mock = await createMock({ rateLimit: false, ...options });
  onTestFinished(() => mock.close());
  const { url } = await mock.listen({ port: 0 });
  const target = readYamlFile(join(root, 'fixtures/mock.target.yaml')) as { tenants: { keys: object[] }[] };
  for (const { keys } of target.tenants)
    for (const key of keys) Object.assign(key, { rateLimit: { perSecond: 1000, burst: 200 } });
  writeFileSync(join(folder, name), JSON.stringify({ ...target, baseUrl: url, settleMilliseconds: 0 }));
  return mock;
}

const keys = (text: string) =>
  Object.fromEntries(
    Array.from(text.matchAll(/\$\{(\w+):\?/g), ([, name = '']) => [name, 'acmefull-fake-secret-0000000000000001']),
  );

it('prints curl lines for both, which show the difference as printed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-'));
  await deployment(folder, 'a.yaml');
  const profile = { upload: { registerBeforePut: { status: 409, code: 'NOT_STORED' } } };
  await deployment(folder, 'b.yaml', { profile });
  const args = ['a.yaml', 'b.yaml', '--allow-leftovers', '--sequences', '150', '--seed', '3'];
  const { code, stdout, stderr } = await run(process.execPath, [program, 'compare', ...args], folder);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^(?:\d+ of 150 sequences\n)+$/)]);
  expect(stdout).toMatch(/they differ in 1 way \(seed 3\)/);
  expect(stdout).toMatch(/^1\. registerSiteFile: status is 422 UNPROCESSABLE_ENTITY in A, 409 NOT_STORED in B/m);
  expect(stdout).not.toContain('acmefull-fake');
  for (const [side, status] of [
    ['A', 422],
    ['B', 409],
  ] as const) {
    const block = stdout.split(`   # ${side}\n`)[1]?.split('   # ')[0] ?? '';
    const printed = await run('bash', ['-c', block], folder, keys(block));
    expect(printed.stdout.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 201', `HTTP/1.1 ${status}`]);
  }
  expect(readdirSync(folder).sort()).toEqual(expect.not.arrayContaining(['writes']));
});

it('compares a deployment with the mock, which is alike with its profile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-'));
  const profile = { shapes: { labelList: { at: 'data' } } };
  await deployment(folder, 'a.yaml', { profile });
  writeFileSync(join(folder, 'a.profile.yaml'), JSON.stringify(profile));
  const args = ['compare', 'a.yaml', 'mock', '--fixtures', join(root, 'fixtures'), '--read-only', '--sequences', '60'];
  const unlike = await run(process.execPath, [program, ...args], folder);
  expect(unlike.code).toBe(1);
  expect(unlike.stdout).toMatch(/^1\. listLabels: body\.data is list in A, nothing in B/m);
  const [, ofMock = ''] = /# B\n +(.*)/.exec(unlike.stdout) ?? [];
  expect(ofMock).toContain("curl -i -H 'accept: application/json' -H");
  expect(ofMock).toMatch(/fake-secret.* 'http:\/\/127.0.0.1:4010\/v1\/labels'$/);
  const alike = await run(process.execPath, [program, ...args, '--profile', 'a.profile.yaml'], folder);
  expect([alike.code, alike.stderr]).toEqual([0, expect.stringMatching(/^(?:\d+ of 60 sequences\n)+$/)]);
  expect(alike.stdout).toMatch(/^(\d+) of \1 replies alike in 60 sequences \(seed 1\)\.$/m);
});

it('says what is wrong: a tenant that no fixture has, a deployment that does not answer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-'));
  await deployment(folder, 'a.yaml');
  writeFileSync(join(folder, 'other.yaml'), JSON.stringify({ tenant: 'other', keys: [], labels: [] }));
  const compare = (...args: string[]) => run(process.execPath, [program, 'compare', ...args], folder);
  const lacking = await compare('a.yaml', 'mock', '--fixtures', 'other.yaml');
  expect([lacking.code, lacking.stderr]).toEqual([2, expect.stringContaining('there is no tenant acme')]);
  const dead = {
    baseUrl: 'http://127.0.0.1:1',
    tenants: [{ name: 'x', keys: [{ name: 'k', secret: 'a-secret-of-nobody' }] }],
  };
  writeFileSync(join(folder, 'dead.yaml'), JSON.stringify(dead));
  expect((await compare('a.yaml', 'dead.yaml')).code).toBe(3);
});
