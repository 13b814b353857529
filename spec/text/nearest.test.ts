import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

const fields = ['scopes', 'secret', 'name', 'rateLimit', 'revoked', 'use'];

test.each([
  ['scope', 'scopes'],
  ['secert', 'secret'],
  ['ratelimit', 'rateLimit'],
  ['revokd', 'revoked'],
  ['nmae', 'name'],
  ['colour', undefined],
  ['x', undefined],
])('%s most likely means %s', (word, meant) => {
  expect(nearest(word, fields)).toBe(meant);
});

test('takes the nearer of two candidates, in any order', () => {
  expect(nearest('sites', ['sited', 'sites!', 'site', 'sitEs'])).toBe('sitEs');
});

test('takes the first of two candidates that are equally near', () => {
  expect(nearest('sitex', ['sites', 'sited'])).toBe('sites');
});
