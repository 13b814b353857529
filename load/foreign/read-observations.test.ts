import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { judge } from '../../spec/limiter/judge.ts';
import { readObservations } from './read-observations.ts';

const sample = (name: string) => readFileSync(new URL(`./samples/${name}`, import.meta.url), 'utf8');

// Which tool wrote each, and against what, is in samples/README.md.
test.each([
  ['hey.csv', 'hey -o csv', 59, 0.1],
  ['k6.csv', 'k6 --out csv', 59, 0.001],
  ['k6.ndjson', 'k6 --out json', 29, 0.001],
  ['nginx.log', 'nginx ($msec, $request_time)', 60, 1],
  ['chromium.har', 'HAR', 4, 1],
  ['jmeter.jtl', 'JMeter JTL', 59, 1],
  ['oha.csv', 'oha --output-format csv', 59, 0.001],
  ['vegeta.csv', 'vegeta encode', 60, 0.001],
  ['vegeta.ndjson', 'vegeta encode', 60, 0.001],
])('%s is read', (name, format, requests, stepMs) => {
  const run = readObservations(sample(name), name);
  expect(run).toMatchObject({ format, stepMs });
  expect(run.observations).toHaveLength(requests);
  const { counts, verdict } = judge({ perSecond: 10, burst: 20 }, run.observations);
  expect(counts.admitted).toBeGreaterThan(0);
  expect(verdict).not.toMatch(/^too-/);
});

// Two requests in each format, as its documentation has it: sent half a second apart, the first for 12 ms.
const start = Date.parse('2026-11-21T10:00:00Z');
test.each([
  ['columns', `sentAt,doneAt,status,operation\n${start},${start + 12},200,a\n${start + 500},${start + 501},429,b`],
  [
    'columns',
    `{"sentAt":${start},"durationMs":12,"status":200}\n{"sentAt":${start + 500},"durationMs":1,"status":429}\n`,
  ],
  [
    'vegeta encode',
    `${start}000000,200,12000000,0,9,,,attack,0,GET,http://a/b,\n${start + 500}000000,429,1000000,0,9,,,attack,1,GET,http://a/b,`,
  ],
  [
    'vegeta encode',
    `{"attack":"","seq":0,"code":200,"timestamp":"2026-11-21T10:00:00.000000000Z","latency":12000000,"url":"u"}\n{"attack":"","seq":1,"code":429,"timestamp":"2026-11-21T11:00:00.500000000+01:00","latency":1000000,"url":"u"}`,
  ],
  [
    'oha',
    'request-start,DNS,DNS+dialup,Response-delay,request-duration,bytes,status\n0,0,0,0,0.012,9,200\n0.5,0,0,0,0.001,9,429',
  ],
  [
    'JMeter JTL',
    `timeStamp,elapsed,label,responseCode,responseMessage\n${start},12,labels,200,"OK, ""fine"""\n${start + 500},1,labels,429,no`,
  ],
  [
    'Envoy',
    '{"start_time":"2026-11-21T10:00:00.000Z","duration":12,"response_code":200,"path":"/"}\n{"start_time":"2026-11-21T10:00:00.500Z","duration":1,"response_code":429,"path":"/"}',
  ],
])('%s', (format, text) => {
  const run = readObservations(text, 'file');
  expect(run.format).toContain(format);
  const [first, second] = run.observations;
  expect([first?.status, second?.status]).toEqual([200, 429]);
  expect((first?.doneAt ?? 0) - (first?.sentAt ?? 0)).toBeCloseTo(12, 6);
  expect((second?.sentAt ?? 0) - (first?.sentAt ?? 0)).toBeCloseTo(500, 6);
});

test('takes times in whole seconds as accurate to a second', () => {
  const text =
    'metric_name,timestamp,metric_value,status\nhttp_reqs,1795304691,1,200\nhttp_req_duration,1795304691,2,200';
  expect(readObservations(text, 'k6.csv')).toMatchObject({ stepMs: 1000, observations: [{ status: 200 }] });
});

test('takes a request without a status as one without an answer', () => {
  const text =
    'timeStamp,elapsed,label,responseCode\n1795304691000,12,a,Non HTTP response code: java.net.SocketException';
  expect(readObservations(text, 'f').observations).toEqual([
    { sentAt: 1795304691000, doneAt: 1795304691012, status: 0, operation: 'a' },
  ]);
});

test('reads an array of requests like lines of requests, and ignores spaces around a status', () => {
  expect(readObservations('[{"sentAt":1,"doneAt":2,"status":200}]', 'f').observations).toHaveLength(1);
  expect(readObservations('sentAt,doneAt,status\n1, 2, 200', 'f').observations).toEqual([
    { sentAt: 1, doneAt: 2, status: 200 },
  ]);
});

describe('names every problem of a file', () => {
  test.each([
    ['time,code\n1,200', /^f: has the columns time, code; /],
    [
      'timeStamp,elapsed,label\n1,2,a',
      'f: has the columns timeStamp, elapsed, label; as JMeter JTL it lacks responseCode',
    ],
    [
      'a,b\n1,2',
      /^f: has the columns a, b; give a record for each request, .* sentAt, doneAt and status \(milliseconds\), or what these write: /,
    ],
    ['sentAt,doneAt,status\n0,x,200', 'f:2: doneAt is "x", not a number'],
    ['sentAt,doneAt,status\n9,1,200', 'f:2: this request ends before it begins; check the columns of its times'],
    ['{"sentAt":1}\nnot json', 'f:2: is no JSON object'],
    ['', 'f: has no requests; give a record for each request'],
    ['status,offset', 'f: has no requests; give a record for each request'],
    ['{"log":{"entries":[]}}', 'f: has no requests; give a record for each request'],
    ['{\n "totals": {}\n}', 'f: is one JSON document; give a record for each request'],
    ['[1]', 'f:1: is no JSON object'],
    ['r\0e\0s\0', 'f: is no text in UTF-8; give what the tool wrote as text'],
  ])('refuses %j and says why', (text, message) => {
    expect(() => readObservations(text, 'f')).toThrow(message);
  });
});
