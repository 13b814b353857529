import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Ticket, takeTurn } from './turn.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turn-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('runs on the same deployment take turns', async () => {
  const waited: number[] = [];
  let running = 0;
  const run = async (id: number) => {
    const end = await takeTurn(folder, 'one', { onWait: ({ pid }) => waited.push(pid) });
    expect(++running, `run ${id}`).toBe(1);
    await new Promise(setImmediate);
    running--;
    await end();
  };
  await Promise.all([1, 2, 3].map(run));
  expect(waited).toEqual([process.pid, process.pid]);
  expect(readdirSync(folder)).toEqual([]);
});

it('runs on other deployments do not wait', async () => {
  const ends = await Promise.all([takeTurn(folder, 'one'), takeTurn(folder, 'other')]);
  expect(readdirSync(folder)).toHaveLength(2);
  for (const end of ends) await end();
});

it('a wait can be interrupted', async () => {
  const end = await takeTurn(folder, 'one');
  const interrupted = new AbortController();
  const waiting = takeTurn(folder, 'one', { signal: interrupted.signal, onWait: () => interrupted.abort() });
  await (await waiting)();
  await end();
  expect(readdirSync(folder)).toEqual([]);
});

it.each<[string, Partial<Ticket>, number]>([
  // No process has this id: Linux gives none above 4,194,304, and other systems give smaller ones.
  ['of a process that was killed', { pid: 2 ** 30 }, 0],
  ['of a machine that has been silent for half a minute', { host: 'elsewhere' }, 31_000],
])('a ticket %s is removed', async (_, other, silence) => {
  const end = await takeTurn(folder, 'one');
  const left = join(folder, (readdirSync(folder)[0] ?? '').replace(/-[^-]*$/, '-0.json'));
  await end();
  const ticket: Ticket = { pid: process.pid, host: hostname(), since: '2026-01-01T00:00:00.000Z', ...other };
  writeFileSync(left, JSON.stringify(ticket));
  const seen = new Date(Date.now() - silence);
  utimesSync(left, seen, new Date(0));
  await (await takeTurn(folder, 'one'))();
  expect(existsSync(left)).toBe(false);
});
