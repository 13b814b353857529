import { expect, it } from 'vitest';
import { deepestJson, nestsTooDeep } from './nests-too-deep.ts';

const tooDeep = (text: string) => nestsTooDeep(new TextEncoder().encode(text));
const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;

it('takes what is as deep as allowed, and nothing deeper', () => {
  expect(tooDeep(nested(deepestJson))).toBe(false);
  expect(tooDeep(`[${nested(deepestJson)}]`)).toBe(true);
  expect(tooDeep('['.repeat(deepestJson + 1))).toBe(true);
});

it('counts what is closed again, and no brackets within text, quoted quotes or not', () => {
  expect(tooDeep(`[${'[],{},'.repeat(1_000)}1]`)).toBe(false);
  expect(tooDeep(`["${'['.repeat(1_000)}"]`)).toBe(false);
  expect(tooDeep(`["\\"${'['.repeat(1_000)}\\\\",${'['.repeat(1_000)}`)).toBe(true);
});
