import { expect, it } from 'vitest';
import { compareShape, placesOf, type ValueShape } from './value-shape.ts';

const shape: ValueShape = {
  properties: { name: 'string', done: 'boolean', parts: { arrayOf: { properties: { size: 'number' } } } },
};
const found = (value: unknown) => [...compareShape(value, shape)].map(({ kind, message }) => `${kind}: ${message}`);

it('finds nothing in a value of the shape', () => {
  expect(found({ name: 'a', done: false, parts: [{ size: 1 }, { size: 2 }] })).toEqual([]);
});

it('tells what is of another type, at every depth', () => {
  expect(found({ name: 1, done: 'no', parts: [{ size: '1' }, 2, null] })).toEqual([
    'wrong: name is number, not a string',
    'wrong: done is string, not a boolean',
    'wrong: parts[0].size is string, not a number',
    'wrong: parts[1] is number, not an object',
    'wrong: parts[2] is null, not an object',
  ]);
  expect(found({ name: 'a', done: true, parts: {} })).toEqual(['wrong: parts is object, not an array']);
  expect(found([])).toEqual(['wrong: it is an array, not an object']);
  expect(found(null)).toEqual(['wrong: it is null, not an object']);
});

it('tells absent, null and unknown properties from wrong ones', () => {
  expect(found({ name: null, parts: [{ size: 1, toString: 1 }] })).toEqual([
    'null: name is null',
    'absent: done is absent',
    'unknown: parts[0].toString is there',
  ]);
});

it('names places without positions, each once', () => {
  const findings = compareShape({ name: 'a', done: true, parts: [{}, {}] }, shape);
  expect(placesOf(findings)).toEqual(['parts[].size']);
});
