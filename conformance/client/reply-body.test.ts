import { expect, it } from 'vitest';
import { createReplyLimits } from './reply-body.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

it('accepts ordinary replies, large or small', () => {
  const exceeds = createReplyLimits();
  const labels = bytes(JSON.stringify({ labels: Array.from({ length: 10_000 }, (_, i) => `label-${i}`) }));
  for (const body of [bytes(''), bytes('{}'), labels]) expect(exceeds(body)).toBeNull();
});

it('refuses JSON that is nested too deep, and a text that would become a million arrays', () => {
  const exceeds = createReplyLimits();
  expect(exceeds(bytes('['.repeat(256)))).toBeNull();
  expect(exceeds(bytes('['.repeat(257)))).toBe('the reply nests brackets more than 256 deep');
  expect(exceeds(bytes(`[${'[],'.repeat(1_000_000)}[]]`))).toBe('the reply has more than 200000 values');
});

it('keeps a bounded number of different long replies, and any number of equal or small ones', () => {
  const exceeds = createReplyLimits();
  const long = (i: number) => bytes(`"${String(i).padStart(4, '0')}${'x'.repeat(4_000_000)}"`);
  for (let i = 0; i < 67; i++) expect(exceeds(long(i))).toBeNull();
  expect(exceeds(long(67))).toBe('the long replies of this run are together larger than 256 MB');
  expect(exceeds(long(0))).toBeNull();
  expect(exceeds(bytes('{"labels":[]}'))).toBeNull();
});
