import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sampleReport } from '../proof/sample-report.ts';
import { assertWritable, formats, writeAll, writeWhole } from './report-files.ts';
import { readReport } from './report-schema.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'partnerkit-reports-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('creates missing folders, and leaves no file of the check behind', async () => {
  await assertWritable([join(folder, 'a/b/report.html')]);
  expect(readdirSync(join(folder, 'a/b'))).toEqual([]);
});

it('names every path that cannot be written', async () => {
  mkdirSync(join(folder, 'taken'));
  writeFileSync(join(folder, 'file'), '');
  const paths = ['taken', 'file/report.html', 'twice', './twice', 'fine'].map((path) => `${folder}/${path}`);
  const error = await assertWritable(paths).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    problems: [
      expect.stringContaining('taken: cannot be written: it is a folder'),
      expect.stringContaining('file/report.html: cannot be written: '),
      expect.stringContaining('./twice: two reports would be written to this file'),
    ],
  });
  expect(readdirSync(folder).sort()).toEqual(['file', 'taken']);
});

it('writes reports that can be read again', async () => {
  const report = await sampleReport();
  const path = join(folder, 'report.json');
  writeFileSync(path, 'an older report');
  await writeAll(report, [{ format: 'json', path }], formats);
  expect(readReport(path)).toEqual(JSON.parse(JSON.stringify(report)));
  expect(readdirSync(folder)).toEqual(['report.json']);
});

it('reproduces failures from the JSON report that is written beside the page', async () => {
  const [html, json] = ['page.html', 'today.json'].map((name) => join(folder, name)) as [string, string];
  const files = [{ format: 'html', path: html } as const, { format: 'json', path: json } as const];
  await writeAll(await sampleReport(), files, formats);
  const page = (await readFile(html, 'utf8')).replaceAll(/<\/?span[^>]*>/g, '');
  expect(page).toContain(`conformance reproduce ${json} auth/`);
  expect(page).not.toContain('--report json=report.json');
});

it('keeps the old report when it cannot write the new one', async () => {
  mkdirSync(join(folder, 'taken'));
  await expect(writeWhole(join(folder, 'taken'), 'text')).rejects.toThrow();
  expect(readdirSync(folder)).toEqual(['taken']);
});

it.runIf(process.platform !== 'win32')('writes into a device or pipe, and never replaces it by a file', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  await assertWritable([pipe, '/dev/null', '/dev/stdout']);
  const read = readFile(pipe, 'utf8');
  await writeWhole(pipe, 'text');
  expect([await read, statSync(pipe).isFIFO(), readdirSync(folder)]).toEqual(['text', true, ['pipe']]);
  await writeWhole('/dev/null', 'text');
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
});

it.runIf(existsSync('/dev/full'))('names a report that a full disk does not take, and writes the others', async () => {
  const report = await sampleReport();
  const path = join(folder, 'report.json');
  const files = [{ format: 'json', path: '/dev/full' } as const, { format: 'json', path } as const];
  await expect(writeAll(report, files, formats)).rejects.toMatchObject({
    problems: [expect.stringContaining('/dev/full: cannot be written: ')],
  });
  expect(readdirSync(folder)).toEqual(['report.json']);
});

it('prints a report for /dev/stdout like all other output', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await writeWhole('/dev/stdout', 'text');
    expect(write).toHaveBeenCalledWith('text');
  } finally {
    write.mockRestore();
  }
});

it('refuses a file that is no report', () => {
  const path = join(folder, 'other.json');
  writeFileSync(path, '{"schemaVersion": 1}');
  expect(() => readReport(path)).toThrow(/other\.json: schemaVersion: .*not a JSON report of this version/);
  expect(() => readReport(join(folder, 'none'))).toThrow(/none: cannot be read: there is no such file/);
});
