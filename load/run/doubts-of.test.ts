import { expect, test } from 'vitest';
import { doubtsOf } from './doubts-of.ts';
import { plain } from './run-k6.ts';

const ended = { code: 0, signal: null, said: [], interrupted: false, tooLarge: false, overdue: false } as const;

test('has no doubts about a run that ended as planned, whether it crossed thresholds or not', () => {
  expect(doubtsOf(ended)).toEqual([]);
  expect(doubtsOf({ ...ended, code: 99, said: ["thresholds on metrics 'load_broken' have been crossed"] })).toEqual([]);
});

test('has a doubt about an interrupted run, whatever k6 says', () => {
  expect(doubtsOf({ ...ended, code: 105, interrupted: true })).toEqual(['the run was interrupted']);
});

test('distinguishes a killed k6 from one that failed', () => {
  expect(doubtsOf({ ...ended, code: null, signal: 'SIGKILL' })).toEqual(['k6 was killed by SIGKILL']);
});

test('gives the reason for which a journey stopped in its own words', () => {
  const said = ['overload: 941 requests', 'test aborted: preflight: GET http://localhost:1/v1/labels: no answer', ''];
  expect(doubtsOf({ ...ended, code: 108, said })).toEqual(['preflight: GET http://localhost:1/v1/labels: no answer']);
});

test('gives the last line of k6 that sounds like a reason, without its place in the code', () => {
  const said = [
    'Error: first',
    'TypeError: x is not a function at drive (file:///kit/load/k6/drive-key.ts:3:4)',
    'running, 0/1 VUs',
  ];
  expect(doubtsOf({ ...ended, code: 107, said })).toEqual(['k6 ended with 107: TypeError: x is not a function']);
  expect(doubtsOf({ ...ended, code: 104, said: ['no such option'] })).toEqual(['k6 ended with 104: no such option']);
  expect(doubtsOf({ ...ended, code: 104 })).toEqual(['k6 ended with 104']);
});

test('distinguishes a k6 that was ended for its memory from one that was killed', () => {
  expect(doubtsOf({ ...ended, code: null, signal: 'SIGKILL', tooLarge: true })).toEqual([
    'k6 held too much memory and was ended: a reply may unpack to far more bytes than were sent',
  ]);
});

test('says when k6 did not end by itself', () => {
  expect(doubtsOf({ ...ended, code: null, signal: 'SIGKILL', overdue: true })).toEqual([
    'k6 had not ended long after its plan, and was ended: it was stopped, or the machine stood still',
  ]);
});

test.each([
  [
    'time="2026-11-21T10:00:00Z" level=error msg="test aborted: say \\"yes\\"" source=console',
    'test aborted: say "yes"',
  ],
  ['time="2026-11-21T10:00:00Z" level=info msg=plain source=console', 'plain'],
  ['panic: runtime error', 'panic: runtime error'],
  ['msg="cut in the middle of \\', '"cut'],
])('%s means %s', (line, message) => {
  expect(plain(line)).toBe(message);
});
