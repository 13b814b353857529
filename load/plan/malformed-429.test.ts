import { expect, test } from 'vitest';
import { malformed429 } from './malformed-429.ts';

const good = '{"message":"Too Many Requests"}';

test('a 429 as documented has no fault', () => {
  expect(malformed429('1', good)).toEqual([]);
  expect(malformed429(' 12 ', '{"message":""}')).toEqual([]);
});

test.each([
  [undefined, 'no Retry-After'],
  ['', 'no Retry-After'],
  ['0', 'Retry-After: 0'],
  ['1.5', 'Retry-After: 1.5'],
  ['Wed, 21 Oct 2026 07:28:00 GMT', 'Retry-After: Wed, 21 Oct 2026 07:28:00 GMT'],
])('Retry-After %j is not seconds', (value, seen) => {
  expect(malformed429(value, good)).toEqual([{ rule: 'limiter/429-has-retry-after', seen }]);
});

test.each([
  null,
  '',
  'Too Many Requests',
  '[]',
  '{}',
  '{"message":1}',
  '{"message":"x","code":1}',
  '{"error":{"message":"x"}}',
])('the body %j is not one message', (body) => {
  expect(malformed429('1', body).map(({ rule }) => rule)).toEqual(['limiter/429-body-is-one-message']);
});
