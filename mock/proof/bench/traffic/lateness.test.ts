import { expect, it } from 'vitest';
import { latenessOf, sentTimes } from './lateness.ts';

const point = (time: string, value: number, phase: string) =>
  JSON.stringify({ metric: 'http_req_duration', type: 'Point', data: { time, value, tags: { phase } } });

it('takes the time of the answer less the duration, to the microsecond, in any time zone', () => {
  const raw = [
    point('2026-11-21T12:00:00.103500250Z', 2.5, 'steady'),
    point('2026-11-21T13:00:00.001+01:00', 1, 'steady'),
    point('2026-11-21T12:00:00.05Z', 1, 'preflight'),
    '{"metric":"http_reqs","type":"Point","data":{}}',
    '',
  ].join('\n');
  const start = Date.parse('2026-11-21T12:00:00Z');
  expect(sentTimes(raw).map((time) => time - start)).toEqual([0, expect.closeTo(101.00025, 3)]);
});

it('compares every request with the schedule of the most punctual one', () => {
  expect(latenessOf([1_003, 1_100, 1_212, 1_300.5], 100)).toEqual([3, 0, 12, 0.5]);
});
