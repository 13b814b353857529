import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fileJournal } from './file-journal.ts';
import type { Borrowed } from './write-journal.ts';

const url = 'https://connect.example.com';
const entry = (label: string): Borrowed => ({ tenant: 'acme', holder: { kind: 'site', id: '10042' }, label });
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const onlyFile = () => join(folder, readdirSync(folder)[0] ?? '');

it('survives its process, and is removed when all entries are returned', async () => {
  const journal = fileJournal(folder, url);
  await journal.borrowed(entry('a'));
  await journal.borrowed(entry('b'));
  await journal.returned(entry('a'));
  const next = fileJournal(folder, url);
  expect(await next.pending()).toEqual([entry('b')]);
  expect(await fileJournal(folder, 'https://other.example.com').pending()).toEqual([]);
  await next.returned(entry('b'));
  expect(readdirSync(folder)).toEqual([]);
  await next.returned(entry('never borrowed'));
  expect(readdirSync(folder)).toEqual([]);
});

it('does not lose a line that follows half a line', async () => {
  const journal = fileJournal(folder, url);
  await journal.borrowed(entry('a'));
  appendFileSync(onlyFile(), '{"state":"borrowed","tena');
  await journal.borrowed(entry('b'));
  expect(await journal.pending()).toEqual([entry('a'), entry('b')]);
});

it('does not lose an entry that is added while the last other one is returned', async () => {
  const journal = fileJournal(folder, url);
  for (let round = 0; round < 25; round++) {
    await journal.borrowed(entry(`first ${round}`));
    await Promise.all([journal.returned(entry(`first ${round}`)), journal.borrowed(entry(`second ${round}`))]);
    expect(await journal.pending()).toEqual([entry(`second ${round}`)]);
    await journal.returned(entry(`second ${round}`));
  }
});

it('skips half lines, and names a line that is no entry', async () => {
  const journal = fileJournal(folder, url);
  await journal.borrowed(entry('a'));
  appendFileSync(onlyFile(), 'no JSON\n\0\n');
  expect(await journal.pending()).toEqual([entry('a')]);
  appendFileSync(onlyFile(), '{"state":"borrowed","tenant":"acme","label":"x","holder":{}}\n');
  await expect(journal.pending()).rejects.toThrow(/:5: is not a line of this journal; .* take it out$/);
  await expect(fileJournal(folder, url).returned(entry('a'))).rejects.toThrow(/is not a line/);
  writeFileSync(onlyFile(), '');
  expect(await journal.pending()).toEqual([]);
});

it('keeps the later time of a write that is announced twice, and reads entries without a time', async () => {
  const journal = fileJournal(folder, url);
  await journal.borrowed({ ...entry('a'), until: 1 });
  await journal.borrowed({ ...entry('a'), until: 2 });
  await journal.borrowed(entry('old'));
  expect(await journal.pending()).toEqual([{ ...entry('a'), until: 2 }, entry('old')]);
  await journal.returned(entry('a'));
  expect(await journal.pending()).toEqual([entry('old')]);
});

it('follows no link', async () => {
  const journal = fileJournal(folder, url);
  const elsewhere = join(folder, 'elsewhere');
  const text = `${JSON.stringify({ state: 'borrowed', ...entry('b') })}\n`;
  writeFileSync(elsewhere, text);
  symlinkSync(elsewhere, journal.file);
  expect(await journal.pending()).toEqual([]);
  await expect(journal.borrowed(entry('a'))).rejects.toMatchObject({ code: 'ELOOP' });
  expect(readFileSync(elsewhere, 'utf8')).toBe(text);
});

it('runs on the same deployment take turns, and runs on others do not wait', async () => {
  const waited: number[] = [];
  let running = 1;
  const run = async (id: number) => {
    const end = await fileJournal(folder, url).turn?.({ onWait: ({ pid }) => waited.push(pid) });
    expect(++running, `run ${id}`).toBe(1);
    await new Promise(setImmediate);
    running--;
    await end?.();
  };
  const end = await fileJournal(folder, url).turn?.({});
  await (await fileJournal(folder, 'https://other.example.com').turn?.({}))?.();
  const others = [1, 2].map(run);
  await expect.poll(() => waited).toEqual([process.pid, process.pid]);
  running--;
  await end?.();
  await Promise.all(others);
});

it('a wait can be interrupted', async () => {
  const end = await fileJournal(folder, url).turn?.({});
  const interrupted = new AbortController();
  const options = { signal: interrupted.signal, onWait: () => interrupted.abort() };
  await (await fileJournal(folder, url).turn?.(options))?.();
  await end?.();
});
