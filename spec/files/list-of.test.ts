import { expect, it } from 'vitest';
import { z } from 'zod';
import { listOf } from './list-of.ts';
import { tried } from './shape-problems.ts';

it('reads a list of wrong items no further than its hundredth problem', () => {
  const wrong = Array.from({ length: 200_000 }, () => ({}));
  const schema = z.strictObject({ tenants: listOf(z.strictObject({ tenant: z.string() })) });
  const { problems } = tried(schema, { tenants: [{ tenant: 'acme' }, ...wrong] });
  expect(problems).toHaveLength(100);
  expect(problems[0]).toEqual({ path: ['tenants', 1, 'tenant'], message: 'is missing' });
});

it('describes a list with its items, and reads these with their defaults', () => {
  const shape = { name: z.string().toLowerCase(), size: z.number().default(1) };
  const list = z.strictObject({ list: listOf(z.strictObject(shape)).describe('Some.').optional() });
  expect(list.parse({ list: [{ name: 'A' }] })).toEqual({ list: [{ name: 'a', size: 1 }] });
  const plain = z.strictObject({ list: z.array(z.strictObject(shape)).describe('Some.').optional() });
  expect(z.toJSONSchema(list, { io: 'input' })).toEqual(z.toJSONSchema(plain, { io: 'input' }));
});
