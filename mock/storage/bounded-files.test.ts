import { expect, it } from 'vitest';
import { boundedFiles } from './bounded-files.ts';
import { memoryFiles } from './memory-files.ts';
import { StorageFull } from './storage-full.ts';

const bytes = (count: number) => new Blob(['x'.repeat(count)]).stream();

it('bounds the bytes of all files, and removed files make room', async () => {
  const files = boundedFiles(memoryFiles(), 10);
  await files.write('a', bytes(6));
  await files.write('b', bytes(4));
  await expect(files.write('c', bytes(1))).rejects.toThrow(StorageFull);
  expect(files.has('c')).toBe(false);
  await files.remove('a');
  await files.write('c', bytes(6));
  await expect(files.write('d', bytes(1))).rejects.toThrow('10 bytes');
});

it('counts uploads under way, and forgets those that broke off', async () => {
  const files = boundedFiles(memoryFiles(), 10);
  const gate = Promise.withResolvers<void>();
  const slow = (async function* () {
    yield new Uint8Array(8);
    await gate.promise;
    throw new Error('broke off');
  })();
  const first = files.write('a', slow);
  await new Promise((resolve) => setImmediate(resolve));
  await expect(files.write('b', bytes(3))).rejects.toThrow(StorageFull);
  gate.resolve();
  await expect(first).rejects.toThrow('broke off');
  await files.write('b', bytes(10));
});

it('counts overwritten bytes only once', async () => {
  const files = boundedFiles(memoryFiles(), 10);
  await files.write('a', bytes(4));
  await files.write('a', bytes(5));
  await files.write('b', bytes(5));
  await files.close();
  await files.write('c', bytes(10));
});

it('counts the files that a store already has', async () => {
  const kept = { ...memoryFiles(), sizes: () => [['old', 9]] as [string, number][] };
  await expect(boundedFiles(kept, 10).write('b', bytes(2))).rejects.toThrow(StorageFull);
});
