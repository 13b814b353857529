import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TenantSeed } from './schema.ts';
import { seedChanges, seedsState } from './watch-seeds.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watched-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (...names: string[]) => join(folder, ...names);
const write = (name: string, tenant: string) => writeFileSync(at(name), `tenant: ${tenant}\nkeys: []\n`);
const swapLink = (link: string, to: string) => {
  symlinkSync(to, at('new-link'));
  renameSync(at('new-link'), at(link));
};

/** Watches a path that was read once. `changes` looks until nothing more can come of what has changed. */
async function watched(path: string) {
  const told: (readonly TenantSeed[] | string)[] = [];
  const look = seedChanges(
    path,
    await seedsState(path),
    (seeds) => void told.push(seeds),
    (error) => void told.push(String(error)),
  );
  const changes = async () => {
    told.length = 0;
    for (let looks = 0; looks < 3; looks++) await look();
    return told.map((seeds) => (typeof seeds === 'string' ? seeds : seeds.map(({ tenant }) => tenant)));
  };
  return { told, look, changes };
}

it.each([
  ['written in place', () => write('a.yaml', 'other')],
  [
    'replaced by a new file, as editors do',
    () => {
      write('b.tmp', 'other');
      renameSync(at('b.tmp'), at('a.yaml'));
    },
  ],
  [
    'removed and written again',
    () => {
      rmSync(at('a.yaml'));
      write('a.yaml', 'other');
    },
  ],
  [
    'replaced by a file of the same size and time, as rsync does',
    () => {
      const { atime, mtime } = statSync(at('a.yaml'));
      write('a.yaml', 'other');
      utimesSync(at('a.yaml'), atime, mtime);
    },
  ],
])('sees a file that is %s, in a folder and by its path', async (_, change) => {
  write('a.yaml', 'first');
  const [inFolder, byPath] = [await watched(folder), await watched(at('a.yaml'))];
  expect([await inFolder.changes(), await byPath.changes()]).toEqual([[], []]);
  change();
  expect([await inFolder.changes(), await byPath.changes()]).toEqual([[['other']], [['other']]]);
});

it('sees a mount that swaps a link: a ConfigMap, a file in it, a folder of releases', async () => {
  for (const [release, tenant] of [
    ['1', 'first'],
    ['2', 'other'],
  ] as const) {
    mkdirSync(at(`release-${release}`));
    write(`release-${release}/a.yaml`, tenant);
  }
  symlinkSync('release-1', at('..data'));
  symlinkSync(join('..data', 'a.yaml'), at('a.yaml'));
  const all = [await watched(folder), await watched(at('a.yaml')), await watched(at('..data'))];
  swapLink('..data', 'release-2');
  expect(await Promise.all(all.map(({ changes }) => changes()))).toEqual([[['other']], [['other']], [['other']]]);
});

it('sees files that come and go', async () => {
  write('a.yaml', 'first');
  const { changes } = await watched(folder);
  write('b.yaml', 'second');
  expect(await changes()).toEqual([['first', 'second']]);
  rmSync(at('a.yaml'));
  expect(await changes()).toEqual([['second']]);
});

it('reads nothing again for a note or for the file of an editor', async () => {
  write('a.yaml', 'first');
  write('b.yaml', 'second');
  const { changes } = await watched(folder);
  writeFileSync(at('notes.txt'), 'a note');
  writeFileSync(at('.a.yaml.swp'), 'of an editor');
  expect(await changes()).toEqual([]);
  write('b.yaml', 'other');
  expect(await changes()).toEqual([['first', 'other']]);
});

it('waits until a file is written to its end', async () => {
  write('a.yaml', 'first');
  const { told, look } = await watched(folder);
  writeFileSync(at('a.yaml'), 'tenant: oth');
  await look();
  appendFileSync(at('a.yaml'), 'er\nkeys: []\n');
  await look();
  expect(told).toEqual([]);
  await look();
  expect(told).toMatchObject([[{ tenant: 'other' }]]);
});

it('tells a mistake once, and reads the file again when it is mended or as before', async () => {
  write('a.yaml', 'first');
  const { changes } = await watched(folder);
  writeFileSync(at('a.yaml'), 'tenant: [');
  expect(await changes()).toEqual([expect.stringContaining('a.yaml:1:')]);
  expect(await changes()).toEqual([]);
  write('a.yaml', 'first');
  expect(await changes()).toEqual([['first']]);
  rmSync(at('a.yaml'));
  expect(await changes()).toEqual([expect.stringContaining('no tenants found')]);
  write('a.yaml', 'first');
  expect(await changes()).toEqual([['first']]);
});
