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

it('names a hundred of very many unknown properties', () => {
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`tenant${n}`, n]));
  expect(problemsOf({ tenant: 'acme', ...many })).toHaveLength(100);
});
