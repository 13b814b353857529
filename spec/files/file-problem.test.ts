import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { fileProblem } from './configuration-error.ts';

const folder = mkdtempSync(join(tmpdir(), 'partnerkit-file-problem-'));
writeFileSync(join(folder, 'file'), '');
afterAll(() => rmSync(folder, { recursive: true }));

const problemOf = (done: 'read' | 'written', work: () => unknown) => {
  try {
    work();
    return 'nothing';
  } catch (error) {
    return fileProblem(error, done);
  }
};

it.each([
  ['none', 'cannot be read: there is no such file; check the path'],
  ['file/none', 'cannot be read: a part of the path is a file, not a folder; check the path'],
  ['.', 'cannot be read: it is a folder; give a file'],
])('%s: %s', (path, problem) => {
  expect(problemOf('read', () => readFileSync(join(folder, path)))).toBe(problem);
});

it.each([
  ['none/new', 'cannot be written: its folder does not exist; create the folder, or give another path'],
  ['file/new', 'cannot be written: a part of the path is a file, not a folder; give another path'],
  ['.', 'cannot be written: it is a folder; give a file'],
])('%s: %s', (path, problem) => {
  expect(problemOf('written', () => writeFileSync(join(folder, path), ''))).toBe(problem);
});

it('gives the message of any other error', () => {
  expect(fileProblem(new Error('the moon is full'), 'read')).toBe('cannot be read: the moon is full');
  expect(fileProblem('odd', 'written')).toBe('cannot be written: odd');
});
