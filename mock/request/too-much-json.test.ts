import { expect, it } from 'vitest';
import { tooMuchJson } from './check-request.ts';

const problem = (text: string, most?: number) => tooMuchJson(new TextEncoder().encode(text), most);
const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;
const tooDeep = 'nested more than 100 deep';

it('accepts JSON up to the allowed depth, and nothing deeper', () => {
  expect(problem(nested(100))).toBeNull();
  expect(problem(`[${nested(100)}]`)).toBe(tooDeep);
  expect(problem('['.repeat(101))).toBe(tooDeep);
});

it('counts closed brackets, and ignores brackets in text, also after escaped quotes', () => {
  expect(problem(`[${'[],{},'.repeat(1_000)}1]`)).toBeNull();
  expect(problem(`["${'['.repeat(1_000)}"]`)).toBeNull();
  expect(problem(`["\\"${'['.repeat(1_000)}\\\\",${'['.repeat(1_000)}`)).toBe(tooDeep);
});

it('accepts the allowed number of values, and no more', () => {
  expect(problem(`[${'1,'.repeat(999)}1]`, 1_000)).toBeNull();
  expect(problem(`[${'1,'.repeat(1_000)}1]`, 1_000)).toBe('more than 1000 values');
  expect(problem(`["${','.repeat(5_000)}"]`, 1_000)).toBeNull();
});
