import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

test.each([
  ['vipp', 'vip', 'a letter too many'],
  ['vp', 'vip', 'a letter missing'],
  ['vap', 'vip', 'another letter'],
  ['ivp', 'vip', 'two neighbours swapped'],
  ['VIP', 'vip', 'another case'],
])('%s means %s: %s', (word, meant) => {
  expect(nearest(word, ['warranty', 'vip', 'after-hours'])).toBe(meant);
});

test('nothing is near enough', () => {
  expect(nearest('plumbing', ['vip', 'warranty', 'heating'])).toBeUndefined();
  expect(nearest('ab', ['cd'])).toBeUndefined();
  expect(nearest('vip', [])).toBeUndefined();
});

test('a longer word may differ in more letters, and the nearest of two wins', () => {
  expect(nearest('maintenence-pln', ['maintenance-man', 'maintenance-plan'])).toBe('maintenance-plan');
});
