import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeTemporaryFolder, removeAbandonedFolders, removeTemporaryFolder } from './temporary-folders.ts';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'temporary-folders-'));
});
afterEach(() => rmSync(parent, { recursive: true }));

/** A process of its own that makes a folder with a file in it, says so, and then does what is asked. */
const script = (then: string) => `
  import { writeFileSync } from 'node:fs';
  import { makeTemporaryFolder } from './temporary-folders.ts';
  const folder = await makeTemporaryFolder(process.argv[1]);
  writeFileSync(folder + '/file', 'bytes');
  process.stdout.write(folder + '\\n');
  ${then}`;
const cwd = import.meta.dirname;
const args = (then: string) => ['--input-type=module', '-e', script(then), parent];

/** A number that no process has any more. */
const deadPid = () => spawnSync(process.execPath, ['-e', '']).pid;
const place = hostname().replaceAll(/[^\w.-]/g, '_');

it.each(['process.exit(1)', 'throw new Error("crash")', ''])(
  'is removed after a process that ends with "%s"',
  (then) => {
    const { stdout } = spawnSync(process.execPath, args(then), { cwd, encoding: 'utf8' });
    expect(stdout).toContain(parent);
    expect(readdirSync(parent)).toEqual([]);
  },
);

it('is removed by the next process after kill -9', async () => {
  const child = spawn(process.execPath, args('setInterval(() => {}, 1000)'), { cwd });
  await once(child.stdout, 'data');
  expect(await removeAbandonedFolders(parent)).toEqual([]);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const [left = ''] = readdirSync(parent);
  expect(await removeAbandonedFolders(parent)).toEqual([join(parent, left)]);
  expect(readdirSync(parent)).toEqual([]);
});

it('is not removed if it is in use, of another machine, or not made by partnerkit', async () => {
  const own = await makeTemporaryFolder(parent);
  const others = [
    `partnerkit-${place}-${process.ppid}-abcdef`,
    `partnerkit-elsewhere-${deadPid()}-abcdef`,
    `partnerkit-${place}-${deadPid()}`,
    `partnerkit-${place}-${deadPid()}-abcdef-mine`,
    'partnerkit-state-abcdef',
  ];
  for (const name of others) mkdirSync(join(parent, name));
  expect(await removeAbandonedFolders(parent)).toEqual([]);
  await removeTemporaryFolder(own);
  expect(readdirSync(parent).sort()).toEqual(others.sort());
});

it('of an earlier process with the same process id is recognised by its age, as in a restarted container', async () => {
  const folder = join(parent, `partnerkit-${place}-${process.pid}-abcdef`);
  mkdirSync(folder);
  expect(await removeAbandonedFolders(parent)).toEqual([]);
  const yesterday = Date.now() / 1_000 - 86_400;
  utimesSync(folder, yesterday, yesterday);
  expect(await removeAbandonedFolders(parent)).toEqual([folder]);
});
