import { expect, it } from 'vitest';
import { separating } from './labels.ts';

it.each([1, 2, 3, 5, 6, 10, 12])('of %i records, a group writes the first of any two and not the second', (n) => {
  const all = Array.from({ length: n }, (_, i) => i);
  const groups = separating(all);
  for (const one of all)
    for (const other of all)
      if (one !== other) expect(groups.some((group) => group.includes(one) && !group.includes(other))).toBe(true);
  expect(groups.length).toBeLessThanOrEqual(6);
});
