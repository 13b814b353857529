import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readRecording } from './har.ts';

const folder = mkdtempSync(join(tmpdir(), 'partnerkit-har-'));
afterAll(() => rmSync(folder, { recursive: true }));

const written = (text: string) => {
  const file = join(folder, 'recording.har');
  writeFileSync(file, text);
  return file;
};
const har = (url: string, status = 200) => {
  const request = { method: 'get', url, headers: [{ name: 'X-Api-Key', value: 'secret-1' }] };
  const entry = { startedDateTime: '2026-01-01T00:00:00Z', time: 5, request, response: { status, content: {} } };
  return JSON.stringify({ log: { entries: [entry] } });
};

it('reads the requests to the API, without secrets', () => {
  expect(readRecording(written(`\uFEFF${har('https://api.example.com/v1/labels')}`)).requests).toMatchObject([
    { operation: 'listLabels', method: 'GET', status: 200, key: '$KEY_1', credential: 'key' },
  ]);
  const { requests } = readRecording(written(har('https://api.example.com/v1/labels', 0)));
  expect(requests).toMatchObject([{ status: null, requestHeaders: { 'x-api-key': '$KEY_1' } }]);
});

it.each([
  ['{', /this is no HAR/],
  ['{"log":{"entries":[{}]}}', /this is no HAR: log\.entries\.0\.startedDateTime: /],
  [har('https://example.com/'), /has no request to this API/],
])('refuses %s', (text, said) => {
  expect(() => readRecording(written(text))).toThrow(said);
});
