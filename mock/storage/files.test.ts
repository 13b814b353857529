import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { diskFiles } from './disk-files.ts';
import { type FileStore, memoryFiles } from './files.ts';

const key = '0f0e0d0c-0000-4000-8000-000000000001';
const bytes = (text: string) => new TextEncoder().encode(text);

async function* pieces(...texts: string[]) {
  for (const text of texts) yield bytes(text);
}

async function* breakingOff() {
  yield bytes('half');
  throw new Error('the client went away');
}

async function textOf(files: FileStore, fileKey: string) {
  const stream = files.read(fileKey);
  if (stream === undefined) return undefined;
  let text = '';
  for await (const chunk of stream) text += new TextDecoder().decode(chunk);
  return text;
}

describe.each([
  ['on disk', diskFiles],
  ['in memory', memoryFiles],
])('files %s', (_, create) => {
  let files: FileStore;
  afterEach(() => files.close());

  it('gives back what was written, with its size and MD5', async () => {
    files = create();
    const written = await files.write(key, pieces('hello ', 'world'));
    expect(written).toEqual({ size: 11, md5: createHash('md5').update('hello world').digest('hex') });
    expect(await textOf(files, key)).toBe('hello world');
  });

  it('overwrites whole, and keeps the old bytes when a write breaks off', async () => {
    files = create();
    await files.write(key, pieces('a much longer first version'));
    await files.write(key, pieces('second'));
    await expect(files.write(key, breakingOff())).rejects.toThrow('went away');
    expect(await textOf(files, key)).toBe('second');
  });

  it('has no bytes of an unknown, removed or closed file', async () => {
    files = create();
    expect(await textOf(files, key)).toBeUndefined();
    await files.write(key, pieces('x'));
    await files.remove(key);
    expect(await textOf(files, key)).toBeUndefined();
    await files.write(key, pieces(''));
    expect(await textOf(files, key)).toBe('');
    await files.close();
    expect(await textOf(files, key)).toBeUndefined();
  });
});

it('leaves no folder behind', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'file-store-test-'));
  const files = diskFiles(parent);
  await files.write(key, pieces('x'));
  await expect(files.write('other', breakingOff())).rejects.toThrow();
  const [folder = ''] = readdirSync(parent);
  expect(readdirSync(join(parent, folder))).toEqual([key]);
  await files.close();
  expect(readdirSync(parent)).toEqual([]);
  rmdirSync(parent);
});

it('can be closed while files are written', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'file-store-test-'));
  for (let round = 0; round < 5; round++) {
    const files = diskFiles(parent);
    await files.write(key, pieces('x'));
    const text = Array.from({ length: 20 }, () => 'y'.repeat(1_000));
    const writing = Array.from({ length: 30 }, (_, i) => files.write(`${i}`, pieces(...text)).catch(() => undefined));
    await new Promise(setImmediate);
    await files.close();
    await Promise.all(writing);
  }
  rmSync(parent, { recursive: true });
});
