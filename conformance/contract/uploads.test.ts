import { expect, it } from 'vitest';
import type { Exchange } from '../history/exchange.ts';
import type { Deployment } from '../target/deployment.ts';
import { targetIn } from './uploads.ts';

const sentAt = Date.UTC(2026, 0, 1, 12);
const target = {
  fileKey: 'f11e0001-0000-4000-8000-000000000001',
  uploadUrl: 'https://store.example/a',
  uploadUrlExpiresAt: '2026-01-01T12:05:00Z',
};

/** The rules that a reply with this target breaks. */
function broken(change: object, headers = {}): string[] {
  const start = { status: 201, sentAt, doneAt: sentAt + 80, headers, body: JSON.stringify({ ...target, ...change }) };
  const judged = targetIn(start as Partial<Exchange> as Exchange, { clockSkewSeconds: 5 } as Deployment);
  return [...judged].filter(({ says }) => says === 'broken').map(({ rule }) => rule);
}

it.each<[string, object, string[]]>([
  ['a target as documented', {}, []],
  ['an offset and microseconds', { uploadUrlExpiresAt: '2026-01-01T07:05:00.000000-05:00' }, []],
  ['six seconds, within the skew and a rounding', { uploadUrlExpiresAt: '2026-01-01T12:05:06Z' }, []],
  ['no UUID', { fileKey: 'uploads/1' }, ['upload/target-file-key']],
  ['a path', { uploadUrl: '/a' }, ['upload/target-url']],
  ['no zone', { uploadUrlExpiresAt: '2026-01-01T12:05:00' }, ['upload/target-expiry']],
  ['eight seconds late', { uploadUrlExpiresAt: '2026-01-01T12:05:08Z' }, ['upload/url-lives-five-minutes']],
])('%s: %j', (_, change, rules) => {
  expect(broken(change)).toEqual(rules);
});

it('the clock of the deployment is as right as ours', () => {
  const late = { uploadUrlExpiresAt: '2026-01-01T13:05:00Z' };
  expect(broken(late, { date: 'Thu, 01 Jan 2026 13:00:00 GMT' })).toEqual([]);
});

it('nothing at all is no upload target', () => {
  const none = { fileKey: undefined, uploadUrl: undefined, uploadUrlExpiresAt: undefined };
  expect(broken(none)).toContain('upload/start-is-201');
});
