import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { readYamlFile } from '../../spec/files/read-file.ts';
import { parseTarget } from '../../spec/files/target.ts';
import { judge } from '../index.ts';
import type { Exchange } from './exchange.ts';
import type { History } from './history.ts';
import { historyText, parseHistory } from './history-file.ts';

const target = parseTarget(readYamlFile('fixtures/mock.target.yaml'), {}, 'target');
const exchange: Exchange = {
  n: 1,
  script: 'a',
  operation: 'getHealth',
  key: 'acme/full',
  credential: 'key',
  params: {},
  method: 'GET',
  url: 'http://127.0.0.1:1/v1/health',
  requestHeaders: {},
  requestBody: null,
  requestBytes: 0,
  sentAt: 1,
  doneAt: 2,
  status: 200,
  headers: {},
  body: '{}',
  failure: null,
  paced: true,
  facts: {
    operation: 'getHealth',
    caller: 'valid',
    owner: null,
    label: null,
    mutation: { id: 'm', means: { rule: 'auth/no-key-is-403', statuses: [403] } },
    successRule: 'service/named-endpoints-exist',
  },
  demand: { rule: 'upload/put-accepts-bytes', succeeds: true },
  step: { record: 'acme conversation 1', carries: ['x'], part: 'look', rule: 'labels/apply-adds' },
  trial: { id: 1, arm: 'script', round: 1, rule: 'labels/apply-adds', sign: 'missing x' },
};
const history: History = {
  known: { kit: '1', startedAt: '2026-11-22T00:00:00.000Z', target, allowLeftovers: false },
  exchanges: [
    exchange,
    { ...exchange, n: 2, operation: null, key: null, status: null, body: null, failure: 'no reply' },
  ],
  hooks: [
    { script: 'a', hook: 'createKey', tenant: 'acme', input: { name: 'x' }, startedAt: 1, doneAt: 2, failure: null },
  ],
  skipped: [{ script: 'b', tries: ['x'], reason: 'not-run', why: ['tenants'] }],
  exercised: ['y'],
  left: ['label x'],
  blocked: 'blocked since request 1',
  interrupted: false,
  finishedAt: '2026-11-22T00:00:01.000Z',
};
const text = historyText(history);
const lines = text
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

it('reads the file that it writes', () => {
  expect(parseHistory(text, 'file')).toEqual(history);
});

it('refuses a history of an earlier version, and says what to do', () => {
  expect(() => parseHistory(text.replace('"version":2', '"version":1'), 'file')).toThrow(
    'file:1: this history has version 1; this partnerkit reads version 2, whose lines say what each request was for: run again with --history',
  );
});

it.each(['facts', 'demand', 'step', 'trial'])('names the line whose %s is not as runs write it', (field) => {
  const changed = [
    lines[0],
    { ...lines[1], [field]: { ...lines[1][field], rule: 'x', part: 'x', arm: 'x', caller: 'x' } },
  ];
  expect(() => parseHistory(changed.map((line) => JSON.stringify(line)).join('\n'), 'file')).toThrow(
    `file:2: ${field}`,
  );
});

it('ignores half a line at the end, as a killed run leaves it', () => {
  const [first = '', second = '', third = ''] = text.split('\n');
  const killed = `${first}\n${second}\n${third.slice(0, 40)}`;
  expect(parseHistory(killed, 'file')).toMatchObject({ exchanges: [exchange], interrupted: true });
  expect(() => parseHistory(`${killed}\n`, 'file')).toThrow('file:3: this is not a line of a history');
  expect(() => parseHistory('{"type":"hist', 'file')).toThrow('file:1: this is not a line of a history');
});

it.each(lines.flatMap((line, at) => Object.keys(line).map((field) => [at + 1, line.type, field] as const)))(
  'line %i, of type %s, with another %s is either judged or named as a problem',
  (at, _, field) => {
    for (const value of [undefined, null, 7, 1e300, '', 'x', [], {}, [7]]) {
      const changed = lines.map((line, index) => (index === at - 1 ? { ...line, [field]: value } : line));
      try {
        judge(parseHistory(changed.map((line) => JSON.stringify(line)).join('\n'), 'file'));
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigurationError);
        expect(String(error)).toMatch(new RegExp(`file:${at}: `));
      }
    }
  },
);

it('refuses a file that is no history', () => {
  expect(() => parseHistory(readFileSync('package.json', 'utf8'), 'file')).toThrow('file:1: this is not a line');
  expect(() => parseHistory('', 'file')).toThrow('is empty');
});
