import { expect, it } from 'vitest';
import { Recent } from './recent.ts';

const keys = Array.from({ length: 10 }, (_, id) => ({ id }));
const [a = { id: -1 }, b = { id: -2 }, ...others] = keys;

it('keeps values that are asked for and drops others', () => {
  const recent = new Recent<object, number>(2);
  recent.set(a, 1);
  recent.set(b, 2);
  for (const other of others) {
    recent.set(other, 0);
    expect(recent.get(a)).toBe(1);
  }
  expect(recent.get(b)).toBeUndefined();
});

it('never holds more than twice its capacity', () => {
  const recent = new Recent<object, number>(2);
  for (const key of keys) recent.set(key, key.id);
  expect(keys.filter((key) => recent.get(key) !== undefined).length).toBeLessThanOrEqual(4);
  expect(recent.get(others.at(-1) ?? a)).toBe(9);
});

it('has the value set last, and none after it was cleared', () => {
  const recent = new Recent<object, number>(1);
  recent.set(a, 1);
  recent.set(b, 1);
  recent.set(a, 2);
  expect(recent.get(a)).toBe(2);
  recent.clear();
  expect(recent.get(a)).toBeUndefined();
});
