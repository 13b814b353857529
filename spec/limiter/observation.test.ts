import { expect, test } from 'vitest';
import { admissionOf } from './observation.ts';

test.each([
  [200, 'admitted'],
  [204, 'admitted'],
  [429, 'throttled'],
  [304, 'refused'],
  [403, 'refused'],
  [404, 'refused'],
  [0, 'unknown'],
  [500, 'unknown'],
  [503, 'unknown'],
  [504, 'unknown'],
])('%i is %s', (status, admission) => {
  expect(admissionOf(status)).toBe(admission);
});
