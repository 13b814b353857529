import { expect, it } from 'vitest';
import { tally } from './tally.ts';

it('adds up what a test tried', ({ task }) => {
  tally({ inputs: 2 });
  tally({ inputs: 3, faults: 1 });
  expect(task.meta.tally).toEqual({ inputs: 5, faults: 1, lost: 0 });
  delete task.meta.tally;
});
