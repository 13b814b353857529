import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readTextFile } from './read-text-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'text-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('reads a text up to the limit, and none that is longer', () => {
  const file = join(folder, 'long.txt');
  const text = 'é'.repeat(1 << 20);
  writeFileSync(file, text);
  expect(readTextFile(file, 2 << 20) === text).toBe(true);
  expect(() => readTextFile(file, (2 << 20) - 1)).toThrow('is larger than 2 MB');
});
