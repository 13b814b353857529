import { expect, test } from 'vitest';
import { malformed429 } from './throttled-reply.ts';

const good = '{"message":"Too Many Requests"}';

test('finds no fault in a documented 429', () => {
  expect(malformed429('1', good)).toEqual([]);
  expect(malformed429(' 12 ', '{"message":""}')).toEqual([]);
});

test.each([
  [undefined, 'no Retry-After'],
  ['', 'no Retry-After'],
  ['soon', 'Retry-After: soon, not a number of seconds'],
  ['-1', 'Retry-After: -1, not a number of seconds'],
  ['Wed, 21 Oct 2026 07:28:00 GMT', 'Retry-After: Wed, 21 Oct 2026 07:28:00 GMT, not a number of seconds'],
])('Retry-After %j breaks the rule', (value, seen) => {
  expect(malformed429(value, good)).toEqual([{ rule: 'limiter/429-has-retry-after', seen, breaks: true }]);
});

test.each([
  ...['0', '0.1', '1.5', '1.0'].map((value) => [value, 'not a whole number of seconds, 1 or more']),
  ['1000', 'longer than any client should wait; perhaps milliseconds'],
])('Retry-After %j is seconds that a client may not understand', (value, doubt) => {
  const seen = `Retry-After: ${value}, ${doubt}`;
  expect(malformed429(value, good)).toEqual([{ rule: 'limiter/429-has-retry-after', seen, breaks: false }]);
});

test.each([
  [null, 'no body'],
  ['', 'no body'],
  ['Too Many Requests', 'a body that is not JSON'],
  ['[]', 'a body that is no object'],
  ['"slow down"', 'a body that is no object'],
  ['{}', 'no message, but nothing'],
  ['{"message":1}', 'a message that is no string'],
  ['{"message":"x","code":1}', 'fields beside message: code'],
  ['{"error":{"message":"x"}}', 'no message, but error'],
])('the body %j is not one message', (body, seen) => {
  expect(malformed429('1', body)).toEqual([{ rule: 'limiter/429-body-is-one-message', seen, breaks: true }]);
});
