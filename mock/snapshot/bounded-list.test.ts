import { expect, it } from 'vitest';
import { z } from 'zod';
import { closedObject } from '../../spec/files/closed-object.ts';
import { shapeProblems } from '../../spec/files/shape-problems.ts';
import { boundedList, boundedRecord } from './bounded-list.ts';

const schema = closedObject({ keys: boundedList(closedObject({ name: z.string() })), labels: boundedRecord(z.int()) });
const problemsOf = (value: unknown) =>
  shapeProblems(schema.safeParse(value, { reportInput: true }).error ?? new z.ZodError([]));

it('gives back what it was given', () => {
  const value = { keys: [{ name: 'a' }, { name: 'b' }], labels: { vip: 1, constructor: 2 } };
  expect(schema.parse(value)).toEqual(value);
});

it('says of each item where it is and what is wrong with it', () => {
  expect(problemsOf({ keys: [{ name: 'a' }, {}, { name: 7, other: 1 }], labels: { vip: 'x' } })).toEqual([
    { path: ['keys', 1, 'name'], message: 'is missing' },
    { path: ['keys', 2, 'name'], message: 'must be a text; put it in quotes' },
    { path: ['keys', 2, 'other'], message: 'unknown property; allowed: name' },
    { path: ['labels', 'vip'], message: 'must be a number' },
  ]);
  expect(problemsOf({ keys: {}, labels: [] })).toEqual([
    { path: ['keys'], message: 'must be a list' },
    { path: ['labels'], message: expect.any(String) },
  ]);
});

it('looks for no more than a hundred problems', () => {
  const problems = problemsOf({ keys: Array(100_000).fill({}), labels: {} });
  expect(problems).toHaveLength(101);
  expect(problems[100]).toEqual({ path: ['keys'], message: 'too many problems: the rest was not checked' });
});
