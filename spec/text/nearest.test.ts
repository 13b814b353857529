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

test('of two candidates the nearer one is meant, wherever it stands', () => {
  expect(nearest('sites', ['sited', 'sites!', 'site', 'sitEs'])).toBe('sitEs');
});

test('of two candidates equally near the first one is meant', () => {
  expect(nearest('sitex', ['sites', 'sited'])).toBe('sites');
});
