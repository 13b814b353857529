import { expect, it } from 'vitest';
import { limitedFiles, StorageFull } from './limited-files.ts';
import { memoryFiles } from './memory-files.ts';

const bytes = (count: number) => new Blob(['x'.repeat(count)]).stream();

it('bounds the bytes of all files', async () => {
  let used = 9;
  const files = limitedFiles(memoryFiles(), 10, () => used);
  await expect(files.write('a', bytes(2))).rejects.toThrow(StorageFull);
  await expect(files.write('a', bytes(2))).rejects.toThrow('10 bytes');
  expect(files.has('a')).toBe(false);
  used = 0;
  await files.write('a', bytes(10));
});

it('counts uploads under way, and forgets those that broke off', async () => {
  const files = limitedFiles(memoryFiles(), 10, () => 0);
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
