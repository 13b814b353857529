import { expect, it } from 'vitest';
import { heldFiles } from './held-files.ts';
import { memoryFiles } from './memory-files.ts';

const bytes = (text: string) => new Blob([text]).stream();

it('removes files at once if nobody holds the store', async () => {
  const files = heldFiles(memoryFiles());
  await files.write('a', bytes('x'));
  await files.remove('a');
  expect(files.has('a')).toBe(false);
});

it('removes files when the last holder has ended, also with an error', async () => {
  const files = heldFiles(memoryFiles());
  await files.write('a', bytes('x'));
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const holding = [files.holding(() => first.promise), files.holding(() => second.promise)];
  await files.remove('a');
  first.resolve();
  await holding[0];
  expect(files.has('a')).toBe(true);
  second.reject(new Error('no'));
  await expect(holding[1]).rejects.toThrow('no');
  expect(files.has('a')).toBe(false);
});
