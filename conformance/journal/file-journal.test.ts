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

it('skips lines that are not journal entries', async () => {
  const journal = fileJournal(folder, url);
  await journal.borrowed(entry('a'));
  appendFileSync(
    onlyFile(),
    'null\n7\n{"state":"borrowed"}\n{"state":"lost","tenant":"acme","label":"x","holder":{}}\n[]\n\0\n',
  );
  expect(await journal.pending()).toEqual([entry('a')]);
  writeFileSync(onlyFile(), '');
  expect(await journal.pending()).toEqual([]);
});

it('names bad lines and keeps them, and the entries around them', async () => {
  const journal = fileJournal(folder, url);
  await journal.borrowed(entry('a'));
  const bad = ['{"state":"borrowed","tenant":"acme","label":"x","holder":{}}', 'no JSON', '{"state":"borrowed"}'];
  appendFileSync(onlyFile(), `${bad.join('\n')}\n`);
  await journal.borrowed(entry('b'));
  expect(await journal.pending()).toEqual([entry('a'), entry('b')]);
  const named = bad.map((text, i) => ({ file: onlyFile(), line: i + 3, text }));
  expect(await journal.sweep(true)).toEqual({ dropped: [], kept: named });
  await journal.returned(entry('a'));
  await journal.returned(entry('b'));
  const next = fileJournal(folder, url);
  expect((await next.sweep(false)).kept).toHaveLength(3);
  expect((await next.sweep(true)).dropped).toHaveLength(3);
  expect(readdirSync(folder)).toEqual([]);
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

it.each(['', '{"state":"borr', `${JSON.stringify({ state: 'returned', ...entry('a') })}\n`])(
  'sweep removes a file without entries, as a killed process leaves it: %j',
  async (text) => {
    const journal = fileJournal(folder, url);
    writeFileSync(journal.file, text);
    await journal.sweep(false);
    expect(readdirSync(folder)).toEqual([]);
  },
);
