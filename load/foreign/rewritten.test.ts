import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { describeJudgement } from '../../spec/limiter/describe-judgement.ts';
import { judge } from '../../spec/limiter/judge.ts';
import { readObservations } from './read-observations.ts';

const sample = (name: string) => readFileSync(new URL(`./samples/${name}`, import.meta.url), 'utf8').trimEnd();
const lines = (name: string, change: (cells: string[], index: number) => readonly string[], delimiter = ',') =>
  sample(name)
    .split('\n')
    .map((line, index) => (index === 0 ? line.split(',') : change(line.split(','), index)).join(delimiter))
    .join('\n');
const says = (text: string) => {
  const { observations, stepMs } = readObservations(text, 'f');
  return describeJudgement(judge({ perSecond: 10, burst: 20 }, observations, { skewMs: Math.max(1, stepMs) }));
};
const right = /^admits (10\.0|9\.\d to 10\.\d|at least 9\.\d) rps.*keeps the contract$/;
const comma = (cells: readonly string[]) => cells.map((cell) => cell.replace('.', ','));
const access = (line: (time: number, took: number, status: number) => string) =>
  readObservations(sample('wrk.csv'), 'wrk')
    .observations.map(({ sentAt, doneAt, status }) => line(doneAt / 1000, (doneAt - sentAt) / 1000, status))
    .join('\n');

describe('reads what a spreadsheet or a setting made of it as the same run:', () => {
  test.each<[string, string]>([
    ['semicolons and decimal commas', lines('hey.csv', comma, ';')],
    ['a line that names the delimiter', `sep=;\r\n${lines('hey.csv', comma, ';').replaceAll('\n', '\r\n')}`],
    ['tabs', lines('jmeter.jtl', (cells) => cells, '\t')],
    ['bars', lines('oha.csv', (cells) => cells, '|')],
    ['rows of empty cells at the end', `${sample('jmeter.jtl')}\n,,,,,,,,,,,,,,,,\n`],
    [
      'names in other letters',
      sample('jmeter.jtl').replace('timeStamp', ' Time Stamp').replace('responseCode', 'response_code'),
    ],
    ['a byte order mark', `\ufeff${sample('jmeter.jtl')}`],
    [
      'seconds since 1970',
      lines('wrk.csv', ([a, b, c = '']) => [String(Number(a) / 1000), String(Number(b) / 1000), c]),
    ],
    [
      'microseconds',
      lines('wrk.csv', ([a, b, c = '']) => [String(Number(a) * 1000), `${Math.round(Number(b) * 1000)}`, c]),
    ],
    [
      'times from the begin of the run',
      lines('wrk.csv', ([a, b, c = '']) => [a, b].map((t) => `${Number(t) - 1795337167600}`).concat(c)),
    ],
    [
      'dates of JMeter',
      lines('jmeter.jtl', ([at, ...others]) => [
        new Date(Number(at)).toISOString().replace('T', ' ').replaceAll('-', '/').replace('Z', ''),
        ...others,
      ]),
    ],
    [
      'statuses with their texts',
      lines('wrk.csv', ([a = '', b = '', c]) => [a, b, c === '429' ? '429 Too Many Requests' : 'HTTP/1.1 200 OK']),
    ],
    ['statuses with decimals', lines('wrk.csv', ([a = '', b = '', c]) => [a, b, `${c}.0`])],
    [
      'tenths of a second',
      lines('wrk.csv', ([a, b, c = '']) => [a, b].map((t) => (Number(t) / 1000).toFixed(1)).concat(c)),
    ],
    ['nginx: three values', access((at, took, status) => `${at.toFixed(3)} ${took.toFixed(3)} ${status} /v1/labels`)],
    [
      'nginx: with the bytes',
      access((at, took, status) => `${took.toFixed(3)} ${status} ${status === 429 ? 169 : 512}${''} ${at.toFixed(3)}`),
    ],
    [
      'nginx: combined, and times',
      access(
        (at, took, status) =>
          `127.0.0.1 - - [22/Nov/2026:08:46:07 +0000] "GET /v1/labels?a=[1] HTTP/1.1" ${status} 200 "-" "curl/8.5 (\\"x\\") 0.001" rt=${took.toFixed(3)} urt="0.000, -" ${at.toFixed(3)}`,
      ),
    ],
    ['nginx: bars', access((at, took, status) => `${at.toFixed(3)}|${took.toFixed(3)}|${status}|/v1/labels`)],
  ])('%s', (_, text) => {
    expect(says(text)).toMatch(right);
  });
});

test('whole seconds never make a right limiter wrong', () => {
  const coarse = lines('wrk.csv', ([a, b, c = '']) =>
    [a, b].map((t) => String(Math.round(Number(t) / 1000))).concat(c),
  );
  expect(readObservations(coarse, 'f').stepMs).toBe(1000);
  expect(says(coarse)).toMatch(/^cannot tell|keeps the contract$/);
  const log = access(
    (at, took, status) => `[${new Date(at * 1000).toISOString().slice(0, 19)}+00:00] ${took.toFixed(3)} ${status}`,
  );
  expect(readObservations(log, 'f').stepMs).toBe(1000);
  expect(says(log)).toMatch(/^cannot tell|keeps the contract$/);
});

describe('takes only requests:', () => {
  const head = 'timeStamp,elapsed,label,responseCode,responseMessage,threadName,URL';
  const request = '1795344255160,10,labels,200,OK,t 1,http://a/v1';
  const transaction =
    '1795344255160,10,all,200,"Number of samples in transaction : 1, number of failing samples : 0",t 1,null';
  test('a transaction and a script of JMeter are left out', () => {
    const script = '1795344255170,0,script,200,OK,t 1,null';
    expect(readObservations([head, request, transaction, script].join('\n'), 'f')).toMatchObject({
      observations: [{ operation: 'labels' }],
      leftOut: 2,
    });
  });

  test('transactions in place of their requests are refused', () => {
    const noUrl = (line: string) => line.replace(/,[^,]*$/, '');
    expect(() => readObservations([head, transaction].map(noUrl).join('\n'), 'f')).toThrow(
      'f:2: is a transaction without its requests; switch off "Generate parent sample"',
    );
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
      leftOut: 2,
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
  const rows = (head: string, ...all: readonly string[]) => [head, ...all].join('\n');
  const ten = (row: (index: number) => string) => Array.from({ length: 10 }, (_, index) => row(index));
  test.each<[string, string, string]>([
    [
      'times that a spreadsheet cut',
      lines('jmeter.jtl', ([, ...others]) => ['1.79534E+12', ...others]),
      'f:2: timeStamp is "1.79534E+12": all times are rounded to 10000 s; give the file as the tool wrote it',
    ],
    [
      'so with a decimal comma',
      lines('jmeter.jtl', ([, ...others]) => ['1,79534E+12', ...others], ';'),
      'f:2: timeStamp is "1.79534E+12": all times are rounded to',
    ],
    [
      'so of vegeta',
      sample('vegeta.csv').replaceAll(/^\d{6}(\d)\d+/gm, '1.79534E+18'),
      'f:1: timestamp is "1.79534E+18": all times are rounded to',
    ],
    [
      'dates without seconds',
      lines('jmeter.jtl', ([, ...others]) => ['2026-11-22 10:01', ...others]),
      'rounded to 60 s',
    ],
    [
      'minutes and seconds',
      lines('jmeter.jtl', ([, ...others]) => ['44:15.2', ...others]),
      'f:2: timeStamp is "44:15.2", not a time since 1970 or a date such as 2026-11-21T10:00:00.123Z',
    ],
    [
      'one time from another run',
      rows('sentAt,durationMs,status', ...ten((i) => `179534425516${i},12,200`), '0,12,200'),
      'f:12: sentAt is "0", more than a month from others',
    ],
    [
      'relative times where a tool has none',
      rows('timeStamp,elapsed,label,responseCode', '120,3,a,200'),
      'f:2: timeStamp is "120", not a time since 1970 or a date',
    ],
    [
      'seconds as ms',
      rows('sentAt,doneAt,status', ...ten((i) => `${i / 20},${i / 20 + 0.004},200`)),
      'half of the requests take less than 0.004 ms',
    ],
    [
      'nanoseconds as ms',
      rows('sentAt,durationMs,status', '0,12000000,200'),
      'f:2: this request takes 12000 s; check the columns of its times and their units',
    ],
    [
      'words for a status',
      rows('sentAt,doneAt,status', '1,2,200', '3,4,OK'),
      'f:3: status is "OK", no HTTP status; give its number, or 0',
    ],
    ['a line that is cut short', rows('sentAt,doneAt,status', '1,2,200', '3,4'), 'f:3: has no status'],
    [
      'a JSON line without its status',
      '{"sentAt":1,"doneAt":2,"status":200}\n{"sentAt":1,"doneAt":2}',
      'f:2: has no status',
    ],
    [
      'a quoted line break before',
      rows('sentAt,doneAt,status,note', '1,2,200,"a\nb"', '3,x,200,'),
      'f:4: doneAt is "x"',
    ],
    [
      'no header',
      sample('jmeter.jtl').replace(/^.*\n/, ''),
      'f:1: does not name its columns; give their names in the first line (of JMeter: -Jjmeter',
    ],
    [
      'a default log of nginx or Apache',
      '127.0.0.1 - - [22/Nov/2026:08:46:07 +0000] "GET /v1 HTTP/1.1" 200 2 "-" "curl"',
      "f:1: is an access log without the time in ms, the duration or the status of each request; with nginx use log_format judge '$msec",
    ],
    ['two columns that may be the status', '1795304764.612 0.003 200 404', 'f:1: is an access log without'],
    ['wrk', 'Running 30s test @ http://a\n  2 threads', 'is the summary of wrk or wrk2; log each request'],
    ['hey', '\nSummary:\n  Total:\t1 secs', 'run hey with "-o csv"'],
    ['oha', '{\n  "summary": {}\n}', 'oha with "--no-tui --output-format csv"'],
    ['Locust', 'Type,Name,Request Count,Failure Count\n', "is Locust's sums"],
    ['Artillery', '{\n "aggregate": {}\n}', 'is a summary of Artillery'],
    ['k6', '{\n "root_group": {}\n}', 'run it with "--out json=FILE"'],
    ['vegeta', 'Requests      [total, rate, throughput]  1', 'run "vegeta encode --to csv"'],
    ['JMeter', '<?xml version="1.0" encoding="UTF-8"?>\n<testResults version="1.2">', 'output_format=csv'],
    [
      'Gatling',
      'RUN\tSim\tsim\t1795344255160\t \t3.9.5\nREQUEST\t1\t\tlabels\t1795344255160\t1795344255170\tOK\t \n',
      "is Gatling's, which says OK or KO",
    ],
  ])('%s', (_, text, message) => {
    expect(() => readObservations(text, 'f')).toThrow(message);
  });
});
