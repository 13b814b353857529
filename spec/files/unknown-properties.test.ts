import { expect, it } from 'vitest';
import { z } from 'zod';
import { tried } from './shape-problems.ts';

const schema = z.strictObject({ tenant: z.string() });
const problemsOf = (value: unknown) => tried(schema, value).problems;

it('names each unknown property, with what was meant', () => {
  expect(problemsOf({ tenant: 'acme', tenent: 1, other: 2 })).toEqual([
    { path: ['tenent'], message: 'unknown property; did you mean "tenant"?' },
    { path: ['other'], message: 'unknown property; allowed: tenant' },
  ]);
});

it('names twenty of very many unknown properties and counts the rest', () => {
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`tenant${n}`, n]));
  const problems = problemsOf({ tenant: 'acme', ...many });
  expect(problems).toHaveLength(21);
  expect(problems[20]).toEqual({ path: [], message: '99980 more unknown properties' });
});
