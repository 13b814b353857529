import { expect, it } from 'vitest';
import { z } from 'zod';
import { closedObject, listOf } from './closed-object.ts';
import { tried } from './shape-problems.ts';

const schema = closedObject({ tenant: z.string() });
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

it('reads a list of wrong items no further than its hundredth problem', () => {
  const wrong = Array.from({ length: 200_000 }, () => ({}));
  const { problems } = tried(closedObject({ tenants: listOf(schema) }), { tenants: [{ tenant: 'acme' }, ...wrong] });
  expect(problems).toHaveLength(100);
  expect(problems[0]).toEqual({ path: ['tenants', 1, 'tenant'], message: 'is missing' });
});

it('describes a list with its items, and reads these with their defaults', () => {
  const shape = { name: z.string().toLowerCase(), size: z.number().default(1) };
  const list = closedObject({ list: listOf(closedObject(shape)).describe('Some.').optional() });
  expect(list.parse({ list: [{ name: 'A' }] })).toEqual({ list: [{ name: 'a', size: 1 }] });
  const plain = closedObject({ list: z.array(closedObject(shape)).describe('Some.').optional() });
  expect(z.toJSONSchema(list, { io: 'input' })).toEqual(z.toJSONSchema(plain, { io: 'input' }));
});
