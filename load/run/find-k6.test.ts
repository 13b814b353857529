import { expect, test } from 'vitest';
import { findK6 } from './find-k6.ts';

const find = (installed: Record<string, string>, env: Record<string, string> = {}) =>
  findK6({
    env: { HOME: '/home/me', PATH: '/usr/bin:/opt/bin', ...env },
    root: '/kit',
    versionText: async (path) =>
      installed[path] ?? Promise.reject(Object.assign(new Error('none'), { code: 'ENOENT' })),
  });
const two = 'k6 v2.2.0 (commit/devel, go1.26.8, linux/amd64)';
const one = 'k6 v1.7.1 (go1.25)';
const old = 'k6 v1.2.3 (go1.24)';

test('looks at K6_PATH, then PATH, then the installed k6', async () => {
  const all = { '/mine/k6': two, '/opt/bin/k6': two, '/kit/.cache/bin/k6': two };
  expect(await find(all, { K6_PATH: '/mine/k6' })).toEqual({ path: '/mine/k6', version: '2.2.0' });
  const { '/mine/k6': _, ...onPath } = all;
  expect((await find(onPath)).path).toBe('/opt/bin/k6');
  const { '/opt/bin/k6': __, ...built } = onPath;
  expect((await find(built)).path).toBe('/kit/.cache/bin/k6');
  expect((await find({ '/home/me/.cache/partnerkit/bin/k6': two })).path).toBe('/home/me/.cache/partnerkit/bin/k6');
});

test('accepts versions 1 and 2, whichever comes first', async () => {
  expect((await find({ '/usr/bin/k6': one, '/opt/bin/k6': two })).version).toBe('1.7.1');
});

test('skips an old k6, and names it if there is no other', async () => {
  expect((await find({ '/usr/bin/k6': old, '/opt/bin/k6': 'k6 v2.3.0-rc.1' })).version).toBe('2.3.0-rc.1');
  await expect(find({ '/usr/bin/k6': old })).rejects.toThrow(
    '/usr/bin/k6 is v1.2.3; k6 1.3 or newer is needed: run "npx partnerkit load install-k6"',
  );
});

test('tells a k6 that is slow, and one that cannot be started, from a program that is no k6', async () => {
  const failing = (error: object) =>
    findK6({
      env: { HOME: '/home/me', PATH: '/usr/bin' },
      root: '/kit',
      versionText: (path) => Promise.reject(path === '/usr/bin/k6' ? error : { code: 'ENOENT' }),
    });
  await expect(failing({ killed: true })).rejects.toThrow(
    '/usr/bin/k6 did not say its version within 20 s (try again when the machine is less busy)',
  );
  await expect(failing({ killed: false, code: 'ENOEXEC' })).rejects.toThrow('"/usr/bin/k6 version" failed (ENOEXEC)');
  await expect(findK6({ env: { K6_PATH: '/bin/false' }, root: '/kit' })).rejects.toThrow(
    '"/bin/false version" failed (1)',
  );
  await expect(find({ '/usr/bin/k6': 'Usage: k6' })).rejects.toThrow('/usr/bin/k6 is no k6');
});

test('says how to get k6 if there is none', async () => {
  await expect(find({})).rejects.toThrow(/^k6 was not found: run "npx partnerkit load install-k6".*K6_PATH/);
  await expect(find({}, { K6_PATH: '/nowhere/k6' })).rejects.toThrow('K6_PATH: /nowhere/k6 is not an executable file');
});
