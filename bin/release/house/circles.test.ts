import { expect, it } from 'vitest';
import { circlesOf } from './circles.ts';

it('finds no circle between folders that import in one direction', () => {
  const arrows = [
    ['mock/index.ts', 'mock/store/a.ts'],
    ['mock/store/a.ts', 'mock/message.ts'],
  ] as const;
  expect(circlesOf(arrows)).toEqual([]);
});

it('finds folders that import each other, at any depth and through other folders', () => {
  expect(
    circlesOf([
      ['mock/store/deep/a.ts', 'mock/keys/b.ts'],
      ['mock/keys/c.ts', 'mock/handle.ts'],
      ['mock/handle.ts', 'mock/store/d.ts'],
      ['mock/one.ts', 'mock/two.ts'],
      ['mock/two.ts', 'mock/one.ts'],
    ]),
  ).toEqual(['mock: store -> keys -> handle.ts -> store']);
});
