import { expect, it } from 'vitest';
import { type Around, answer, asking } from '../proof/around.ts';
import { finders, oddities, runVirtually } from '../proof/run-virtually.ts';
import { limits, padded } from './limits.ts';

const start = asking(/upload-url$/);
const size = (headers: Readonly<Record<string, string | undefined>>) => Number(headers['content-length'] ?? 0);
const above = (bytes: number, status: number): Around =>
  answer(start, (reply, { headers }) => (size(headers) > bytes ? { ...reply, status } : reply));

it('pads a start to the byte, and it stays the same JSON', () => {
  const bytes = padded(1000);
  expect(bytes).toHaveLength(1000);
  expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual({ contentType: 'text/plain' });
});

it('passes on the mock, with either megabyte', async () => {
  expect(oddities(await runVirtually(limits))).toEqual([]);
  expect(oddities(await runVirtually(limits, { mock: { bodyLimit: 10_000_000 } }))).toEqual([]);
});

it.each([
  ['a limit of 5 MB', { bodyLimit: 5_000_000 }, ['limits/below']],
  ['no limit', { bodyLimit: 50_000_000 }, ['limits/above', 'limits/above-status']],
  ['a limit of 5 MB that is answered 400', { around: above(5_000_000, 400) }, ['limits/below', 'limits/above-status']],
])('finds %s', async (_, mock, found) => {
  expect(finders(await runVirtually(limits, { mock }))).toEqual(found);
});

it('only notes another status above the limit', async () => {
  const record = await runVirtually(limits, { mock: { around: above(10_485_760, 400) } });
  expect(record.results.map(({ outcome }) => outcome)).toEqual(['pass', 'pass', 'observed']);
  expect(record.profile.errors?.['too-large']?.status).toBe(400);
});

it('is inconclusive, not failed, where small bodies are refused or connections break', async () => {
  const refusing = await runVirtually(limits, { mock: { around: above(0, 403) } });
  expect(refusing.results.map(({ outcome }) => outcome)).toEqual(['inconclusive', 'inconclusive', 'inconclusive']);
  let sent = 0;
  const drops = () => ++sent > 1;
  const broken = await runVirtually(limits, { mock: { drops } });
  expect(broken.results.map(({ outcome }) => outcome)).toEqual(['inconclusive', 'inconclusive', 'inconclusive']);
});
