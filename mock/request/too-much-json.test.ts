import { expect, it } from 'vitest';
import { tooMuchJson } from './too-much-json.ts';

const problem = (text: string, most?: number) => tooMuchJson(new TextEncoder().encode(text), most);
const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;
const tooDeep = 'nested more than 100 deep';

it('takes what is as deep as allowed, and nothing deeper', () => {
  expect(problem(nested(100))).toBeNull();
  expect(problem(`[${nested(100)}]`)).toBe(tooDeep);
  expect(problem('['.repeat(101))).toBe(tooDeep);
});

it('counts what is closed again, and no brackets within text, quoted quotes or not', () => {
  expect(problem(`[${'[],{},'.repeat(1_000)}1]`)).toBeNull();
  expect(problem(`["${'['.repeat(1_000)}"]`)).toBeNull();
  expect(problem(`["\\"${'['.repeat(1_000)}\\\\",${'['.repeat(1_000)}`)).toBe(tooDeep);
});

it('takes as many values as allowed, and no more', () => {
  expect(problem(`[${'1,'.repeat(999)}1]`, 1_000)).toBeNull();
  expect(problem(`[${'1,'.repeat(1_000)}1]`, 1_000)).toBe('more than 1000 values');
  expect(problem(`["${','.repeat(5_000)}"]`, 1_000)).toBeNull();
});
