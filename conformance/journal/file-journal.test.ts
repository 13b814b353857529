import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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

it('two runs against one deployment do not remove each other’s journal', async () => {
  const [one, two] = [fileJournal(folder, url), fileJournal(folder, url)];
  await one.borrowed(entry('a'));
  await two.borrowed(entry('a'));
  await two.borrowed(entry('b'));
  await one.returned(entry('a'));
  expect(await two.pending()).toEqual([entry('a'), entry('b')]);
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
  const named = bad.map((text, i) => ({ file: onlyFile(), line: i + 2, text }));
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

it('takes the later time when two journals have the same entry', async () => {
  const later = { ...entry('a'), until: 2_000 };
  const all = [later, { ...entry('a'), until: 1_000 }, entry('a')];
  for (const first of all)
    for (const debt of [first, ...all.filter((each) => each !== first)]) await fileJournal(folder, url).borrowed(debt);
  const journal = fileJournal(folder, url);
  expect(await journal.pending()).toEqual([later]);
  await journal.returned(entry('a'));
  expect(readdirSync(folder)).toEqual([]);
});

it('ignores folders and links that are named like a journal', async () => {
  const journal = fileJournal(folder, url);
  await journal.borrowed(entry('a'));
  const name = readdirSync(folder)[0] ?? '';
  mkdirSync(join(folder, name.replace('.jsonl', '-folder.jsonl')));
  const elsewhere = join(folder, 'elsewhere');
  const text = `${JSON.stringify({ state: 'borrowed', ...entry('b') })}\nno journal\n`;
  writeFileSync(elsewhere, text);
  symlinkSync(elsewhere, join(folder, name.replace('.jsonl', '-link.jsonl')));
  expect(await journal.pending()).toEqual([entry('a')]);
  await journal.returned(entry('b'));
  expect(await journal.sweep(true)).toEqual({ dropped: [], kept: [] });
  expect(readFileSync(elsewhere, 'utf8')).toBe(text);
});

it('sweep removes files without entries, as a killed process leaves them', async () => {
  const journal = fileJournal(folder, url);
  await journal.borrowed(entry('a'));
  const left = ['', '{"state":"borr', `${JSON.stringify({ state: 'returned', ...entry('a') })}\n`];
  for (const [at, text] of left.entries()) writeFileSync(onlyFile().replace('.jsonl', `-${at}.jsonl`), text);
  await journal.sweep(false);
  expect(readdirSync(folder)).toHaveLength(1);
  await journal.returned(entry('a'));
  expect(readdirSync(folder)).toEqual([]);
});

it('writes a line again when its file is moved away meanwhile', async () => {
  const journal = fileJournal(folder, url);
  await journal.borrowed(entry('a'));
  const file = onlyFile();
  for (let round = 0; round < 40; round++) {
    const writing = journal.borrowed(entry(`b ${round}`));
    // Each round moves the file at another moment of the write.
    for (let turn = round % 10; turn > 0; turn--) await new Promise((resolve) => setImmediate(resolve));
    const moved = `${file}.${round}`;
    if (existsSync(file)) {
      renameSync(file, moved);
      // Like a cleanup: the moved file is still a journal with the lines that it has by then.
      if (readFileSync(moved, 'utf8').includes(`b ${round}"`)) renameSync(moved, `${moved}.jsonl`);
    }
    await writing;
    expect(await journal.pending()).toContainEqual(entry(`b ${round}`));
  }
});
