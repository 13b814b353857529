import { expect, test } from 'vitest';
import { createRawReader, createRawRun, outagesOf } from './recording.ts';

const request = (time: string, value: number, tags: Record<string, string>) =>
  `${JSON.stringify({ metric: 'http_req_duration', type: 'Point', data: { time, value, tags } })}\n`;

function read(text: string, pieces = [text.length]) {
  const run = createRawRun();
  const reader = createRawReader(run, 'raw.json');
  let from = 0;
  for (const length of pieces) {
    reader.push(text.slice(from, from + length));
    from += length;
  }
  reader.end();
  return run;
}

test('takes the time of the answer less the duration as the time of sending, to the microsecond, in any time zone', () => {
  const tags = { key: 'a', phase: 'steady', status: '200' };
  const run = read(
    request('2026-11-21T12:00:01.250500123+02:00', 50.25, tags) +
      request('2026-11-21T10:00:02Z', 10, { ...tags, status: '429' }),
  );
  const at = Date.parse('2026-11-21T10:00:00Z');
  const [first, second] = run.keys.get('a')?.samples ?? [];
  expect(first?.doneAt).toBeCloseTo(at + 1250.500123, 3);
  expect(first?.sentAt).toBeCloseTo(at + 1200.250123, 3);
  expect(second).toEqual({ sentAt: at + 1990, doneAt: at + 2000, status: 429, phase: 'steady' });
});

test('ignores requests that are no part of the journey', () => {
  const run = read(request('2026-11-21T10:00:00Z', 1, { phase: '', status: '200', key: 'a' }));
  expect([run.requests.length, run.keys.size]).toEqual([0, 0]);
});

test('leaves open when a request without an answer was sent', () => {
  const run = read(request('2026-11-21T10:00:20Z', 0, { key: 'a', phase: 'steady', status: '0' }));
  const [sample] = run.keys.get('a')?.samples ?? [];
  expect(sample).toMatchObject({ status: 0, sentAt: Date.parse('2026-11-21T10:00:10Z') });
  const at = Date.parse('2026-11-21T10:00:20Z');
  expect(outagesOf(run)).toEqual([{ from: at, to: at }]);
});

test('reads lines across chunks, and ignores half a line of a killed k6', () => {
  const text = request('2026-11-21T10:00:00Z', 1, { key: 'a', phase: 'steady', status: '200' }).repeat(2);
  expect(read(text, [10, 100, 1000]).requests.length).toBe(2);
  expect(read(text.slice(0, -20)).requests.length).toBe(1);
});

test.each([
  ['a point without data', '{"metric":"load_end","type":"Point","data":null}'],
  [
    'an invalid time',
    '{"metric":"http_req_duration","type":"Point","data":{"time":"soon","value":1,"tags":{"phase":"volley"}}}',
  ],
  [
    'a limit of zero',
    '{"metric":"load_key","type":"Point","data":{"time":"2026-01-01T00:00:00Z","value":1,"tags":{"per_second":"0","burst":"0"}}}',
  ],
])('refuses %s', (_, text) => {
  const reader = createRawReader(createRawRun(), 'raw.json');
  expect(() => reader.push(`\n${text}\n`)).toThrow('raw.json:2: is no raw output of k6');
});

test('does not hold a file without line breaks in memory', () => {
  const reader = createRawReader(createRawRun(), 'raw.json');
  const piece = 'x'.repeat(1 << 19);
  expect(() => {
    for (let i = 0; i < 4; i++) reader.push(piece);
  }).toThrow('raw.json:1');
});
