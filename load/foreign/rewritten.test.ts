import { describe, expect, test } from 'vitest';
import { describeJudgement } from '../../spec/limiter/describe-judgement.ts';
import { judge } from '../../spec/limiter/judge.ts';
import { bucketModel } from '../../spec/limiter/proof/limiters.ts';
import { samplesOf } from '../proof/simulated-raw.ts';
import { readObservations } from './read-observations.ts';

const limit = { perSecond: 10, burst: 20 };
const seen = samplesOf('overload', bucketModel(10, 20));
const start = Date.parse('2026-11-21T10:00:00Z');

/** A run of a right limiter, as a file with this head and this line a request; times in ms since 1970. */
const rows = (head: string, line: (sentAt: number, doneAt: number, status: number) => string): string =>
  [head, ...seen.map(({ sentAt, doneAt, status }) => line(start + sentAt, start + doneAt, status))].join('\n');
const columns = (line: Parameters<typeof rows>[1]) => rows('sentAt,doneAt,status', line);
const jmeter = (timeOf: (at: number) => string, delimiter = ',') =>
  rows(['timeStamp', 'elapsed', 'label', 'responseCode'].join(delimiter), (sentAt, doneAt, status) =>
    [timeOf(sentAt), String(doneAt - sentAt), 'labels', String(status)].join(delimiter),
  );
const says = (text: string) => {
  const { observations, stepMs } = readObservations(text, 'f');
  return describeJudgement(judge(limit, observations, { skewMs: Math.max(1, stepMs) }));
};

describe('reads any spelling of the same run:', () => {
  test.each<[string, string]>([
    ['semicolons', jmeter(String, ';')],
    ['tabs', jmeter(String, '\t')],
    ['bars', jmeter(String, '|')],
    ['lines of Windows, and rows of empty cells at the end', `${jmeter(String).replaceAll('\n', '\r\n')}\r\n,,,\r\n`],
    ['seconds since 1970', columns((a, b, c) => `${a / 1000},${b / 1000},${c}`)],
    ['microseconds', columns((a, b, c) => `${Math.round(a * 1000)},${Math.round(b * 1000)},${c}`)],
    ['times from the begin of the run', columns((a, b, c) => `${a - start},${b - start},${c}`)],
    ['dates', jmeter((at) => new Date(at).toISOString().replace('T', ' ').replaceAll('-', '/').replace('Z', ''))],
    [
      'statuses with their texts',
      columns((a, b, c) => `${a},${b},${c === 429 ? '429 Too Many Requests' : 'HTTP/1.1 200'}`),
    ],
    ['tenths of a second', columns((a, b, c) => `${(a / 1000).toFixed(1)},${(b / 1000).toFixed(1)},${c}`)],
  ])('%s', (_, text) => {
    expect(says(text)).toMatch(/^admits (10\.0|9\.\d to 10\.\d|at least 9\.\d) rps.*keeps the contract$/);
  });
});

test('whole seconds never make a right limiter wrong', () => {
  const coarse = columns((a, b, c) => `${Math.round(a / 1000)},${Math.round(b / 1000)},${c}`);
  expect(readObservations(coarse, 'f').stepMs).toBe(1000);
  expect(says(coarse)).toMatch(/^cannot tell|keeps the contract$/);
});

describe('takes only requests:', () => {
  const head = 'timeStamp,elapsed,label,responseCode,responseMessage,threadName,URL';
  const request = '1795344255160,10,labels,200,OK,t 1,http://a/v1';
  const transaction =
    '1795344255160,10,all,200,"Number of samples in transaction : 1, number of failing samples : 0",t 1,null';
  test('a transaction and a script of JMeter are left out', () => {
    const script = '1795344255170,0,script,200,OK,t 1,null';
    const { observations } = readObservations([head, request, transaction, script].join('\n'), 'f');
    expect(observations).toMatchObject([{ operation: 'labels' }]);
  });

  test('what a browser took from its cache, or never sent, is left out', () => {
    const entry = (url: string, more = {}) => ({
      startedDateTime: '2026-11-21T10:00:00.000Z',
      time: 2,
      request: { method: 'GET', url },
      response: { status: 200 },
      ...more,
    });
    const entries = [
      entry('http://a/v1/labels'),
      entry('http://a/v1/labels', { _fromCache: 'disk' }),
      entry('data:image/png;base64,AA'),
    ];
    expect(readObservations(JSON.stringify({ log: { entries } }), 'f')).toMatchObject({
      observations: [{ operation: 'GET /v1/labels' }],
    });
  });
});

test('reads columns and labels that only look like those of a summary, or are in another encoding', () => {
  const text = 'Type,Name,sentAt,doneAt,status,operation\nGET,a,1,2,200,\ufffdtiquette\n';
  expect(readObservations(text, 'f').observations).toEqual([
    { sentAt: 1, doneAt: 2, status: 200, operation: '\ufffdtiquette' },
  ]);
});

describe('refuses, and says which line and what to change:', () => {
  const file = (head: string, ...all: readonly string[]) => [head, ...all].join('\n');
  const ten = (row: (index: number) => string) => Array.from({ length: 10 }, (_, index) => row(index));
  test.each<[string, string, string]>([
    [
      'times that a spreadsheet cut',
      jmeter(() => '1.79534E+12'),
      'f:2: timeStamp is "1.79534E+12": all times are rounded to 10000 s; give the file as the tool wrote it',
    ],
    ['dates without seconds', jmeter(() => '2026-11-22 10:01'), 'rounded to 60 s'],
    [
      'minutes and seconds',
      jmeter(() => '44:15.2'),
      'f:2: timeStamp is "44:15.2", not a time since 1970 or a date such as 2026-11-21T10:00:00.123Z',
    ],
    [
      'one time from another run',
      file('sentAt,durationMs,status', ...ten((i) => `179534425516${i},12,200`), '0,12,200'),
      'f:12: sentAt is "0", more than a month from others',
    ],
    [
      'relative times where a tool has none',
      file('timeStamp,elapsed,label,responseCode', '120,3,a,200'),
      'f:2: timeStamp is "120", not a time since 1970 or a date',
    ],
    [
      'nanoseconds as ms',
      file('sentAt,durationMs,status', '0,12000000,200'),
      'f:2: this request takes 12000 s; check the columns of its times and their units',
    ],
    [
      'words for a status',
      file('sentAt,doneAt,status', '1,2,200', '3,4,OK'),
      'f:3: status is "OK", no HTTP status; give its number, or 0',
    ],
    ['a line that is cut short', file('sentAt,doneAt,status', '1,2,200', '3,4'), 'f:3: has no status'],
    [
      'a JSON line without its status',
      '{"sentAt":1,"doneAt":2,"status":200}\n{"sentAt":1,"doneAt":2}',
      'f:2: has no status',
    ],
    [
      'a quoted line break before',
      file('sentAt,doneAt,status,note', '1,2,200,"a\nb"', '3,x,200,'),
      'f:4: doneAt is "x"',
    ],
    [
      'no header',
      jmeter(String).replace(/^.*\n/, ''),
      'columns sentAt, doneAt and status (milliseconds), or what these write',
    ],
    [
      'a default log of nginx or Apache',
      '127.0.0.1 - - [22/Nov/2026:08:46:07 +0000] "GET /v1 HTTP/1.1" 200 2 "-" "curl"',
      'give a record for each request, as load/foreign/logging.md shows',
    ],
    ['wrk', 'Running 30s test @ http://a\n  2 threads', 'give a record for each request'],
    ['hey', '\nSummary:\n  Total:\t1 secs', 'hey -o csv, oha --output-format csv'],
    ['oha', '{\n  "summary": {}\n}', 'give a record for each request'],
    ['Artillery', '{\n "aggregate": {}\n}', 'give a record for each request'],
    ['k6', '{\n "root_group": {}\n}', 'k6 --out csv, k6 --out json'],
    ['vegeta', 'Requests      [total, rate, throughput]  1', 'give a record for each request'],
    ['JMeter', '<?xml version="1.0" encoding="UTF-8"?>\n<testResults version="1.2">', 'give a record for each request'],
  ])('%s', (_, text, message) => {
    expect(() => readObservations(text, 'f')).toThrow(message);
  });
});
