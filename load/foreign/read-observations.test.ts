import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { describeJudgement } from '../../spec/limiter/describe-judgement.ts';
import { judge } from '../../spec/limiter/judge.ts';
import { readObservations } from './read-observations.ts';

const limit = { perSecond: 10, burst: 20 };
const sample = (name: string) => readFileSync(new URL(`./samples/${name}`, import.meta.url), 'utf8');

// Which tool wrote each, and against what, is in samples/README.md.
test.each([
  ['hey.csv', 'hey -o csv', 600, 0.1, /^admits 10\.0 rps, burst 20: keeps the contract$/],
  ['k6.csv', 'k6 --out csv', 181, 0.001, /keeps the contract$/],
  ['k6.ndjson', 'k6 --out json', 181, 0.001, /keeps the contract$/],
  ['nginx.log', 'nginx ($msec, $request_time)', 245, 1, /^admits 10\.0 rps, burst 21: keeps the contract$/],
  ['chromium.har', 'HAR', 64, 1, /^cannot tell: nothing is proven/],
  ['jmeter.jtl', 'JMeter JTL', 615, 1, /^admits 10\.0 rps, burst 20: keeps the contract$/],
  ['oha.csv', 'oha --output-format csv', 600, 0.001, /^admits 10\.0 rps, burst 20: keeps the contract$/],
  ['vegeta.csv', 'vegeta encode', 520, 0.001, /keeps the contract$/],
  ['vegeta.ndjson', 'vegeta encode', 520, 0.001, /keeps the contract$/],
  ['artillery.ndjson', 'columns sentAt, doneAt', 580, 1, /keeps the contract$/],
  ['locust.ndjson', 'columns sentAt, durationMs', 660, 0.001, /keeps the contract$/],
  ['wrk.csv', 'columns sentAt, doneAt', 907, 0.001, /keeps the contract$/],
])('%s is read and judged', (name, format, requests, stepMs, says) => {
  const run = readObservations(sample(name), name);
  expect(run).toMatchObject({ format, stepMs, leftOut: 0 });
  expect(run.observations).toHaveLength(requests);
  expect(describeJudgement(judge(limit, run.observations))).toMatch(says);
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
    ['a,b\n1,2', /^f: has the columns a, b; give sentAt, doneAt and status \(milliseconds\), or the output of/],
    ['sentAt,doneAt,status\n0,x,200', 'f:2: doneAt is "x", not a number'],
    ['sentAt,doneAt,status\n9,1,200', 'f:2: this request ends before it begins; check the columns of its times'],
    ['{"sentAt":1}\nnot json', 'f:2: is no JSON object'],
    ['', 'f: has no requests; give the records of a run'],
    ['status,offset', 'f: has no requests; give the records of a run'],
    ['{"log":{"entries":[]}}', 'f: has no requests; give the records of a run'],
    ['{\n "totals": {}\n}', 'f: is one JSON document and no log of requests; give one JSON object a line'],
    ['[1]', 'f: entry 1 is no JSON object'],
    ['r\0e\0s\0', 'f: is no text; give what the tool wrote as text'],
  ])('refuses %j and says why', (text, message) => {
    expect(() => readObservations(text, 'f')).toThrow(message);
  });
});
