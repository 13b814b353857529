import { expect, it } from 'vitest';
import { repeatsIn } from './repeats.ts';

const lines = (...names: string[]) => names.map((name) => `  call(${name});`).join('\n');

it('finds the longest run that stands in two places, ignoring blank lines and comments', () => {
  const files = new Map([
    ['a.ts', `import x from 'x';\n${lines('one', 'two', 'three', 'four', 'a')}`],
    ['b.ts', `${lines('b', 'one', 'two')}\n\n// why\n${lines('three', 'four')}`],
  ]);
  expect(repeatsIn(files, 3)).toEqual([{ places: ['a.ts:2', 'b.ts:2'], lines: 4 }]);
  expect(repeatsIn(files, 5)).toEqual([]);
});

it('finds a run that stands twice in one file', () => {
  const files = new Map([['a.ts', lines('one', 'two', 'x', 'one', 'two')]]);
  expect(repeatsIn(files, 2)).toEqual([{ places: ['a.ts:1', 'a.ts:4'], lines: 2 }]);
});
