import { expect, it } from 'vitest';
import { changedBody } from './body-changes.ts';

it('counts the only list beside what is called count or total, and gives everything else as it is', () => {
  const add = { count: 1, total: 9, page: 1 };
  expect(changedBody({ labels: ['a', 'b'] }, { add })).toEqual({ labels: ['a', 'b'], count: 2, total: 2, page: 1 });
  expect(changedBody({ labels: ['a'], others: [] }, { add: { count: 5 } })).toMatchObject({ count: 5 });
  expect(changedBody({ labels: ['a'], count: 7 }, { add })).toMatchObject({ count: 7 });
});
