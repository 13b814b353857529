import { expect, it } from 'vitest';
import type { LimiterRun } from '../report-schema.ts';
import { bucketRemedies, bucketWords, limiterStrip } from './limiter-strip.ts';

/** A key of 10 per second and 20 at once, of which this was measured. */
const run = (off: { rate: number; burst: number }, bucket = true): LimiterRun => ({
  key: 'acme/limits',
  samples: [{ sentAt: 0, doneAt: 10, status: 200 }],
  judgement: {
    verdict: 'too-lax',
    reason: 'too many',
    limit: { perSecond: 10, burst: 20 },
    measured: { rate: { low: 10.3, high: 16.2 }, burst: { low: 19, high: 20.5, best: 20 }, bucket },
    off,
    counts: { admitted: 1, throttled: 0, refused: 0, unknown: 0 },
  },
});

it('rate and burst are said as declared and as measured, where they explain the run, and no right one beside a wrong one', () => {
  const words = { expected: '10 per second, 20 at once', observed: '10.3 to 16.2 per second, 19 to 21 at once' };
  expect(bucketWords(run({ rate: 0, burst: 0 }))).toEqual(words);
  expect(bucketWords(run({ rate: 0.1, burst: 0.1 }))).toEqual(words);
  const [expected, observed] = [words.expected, words.observed].map((each) => each.split(', '));
  expect(bucketWords(run({ rate: 0.1, burst: 0 }))).toEqual({ expected: expected?.[0], observed: observed?.[0] });
  expect(bucketWords(run({ rate: 0, burst: 0.1 }))).toEqual({ expected: expected?.[1], observed: observed?.[1] });
  expect(bucketWords(run({ rate: 0.1, burst: 0 }, false))).toEqual({});
});

it.each([
  [{ rate: 0.1, burst: 0 }, 'per second'],
  [{ rate: 0, burst: 0.3 }, 'at once'],
])('the figure that is proven wrong is red, and no other: %j', (off, unit) => {
  const red = [...limiterStrip(run(off)).markup.matchAll(/<p class="fail"><b>[^<]*<\/b> ([a-z ]+?) </g)];
  expect(red.map(([, one]) => one)).toEqual([unit]);
  // An interval may be wide without a fault.
  const right = [
    ...limiterStrip(run(off)).markup.matchAll(
      /<p class=""><b>[^<]*<\/b> ([a-z ]+?) <[^>]*>declared \d+, no fault seen</g,
    ),
  ];
  expect(right.map(([, one]) => one)).toEqual(['per second', 'at once'].filter((one) => one !== unit));
});

it('says from which figure to which a limiter must be changed, where a bucket was found', () => {
  expect(bucketRemedies(run({ rate: 0.3, burst: 0 }))).toEqual(['Lower the rate from about 13.3 to 10 a second.']);
  const { judgement, ...rest } = run({ rate: 0, burst: -0.5 });
  const measured = { ...judgement.measured, burst: { low: 9, high: 10.5 } };
  expect(bucketRemedies({ ...rest, judgement: { ...judgement, measured } })).toEqual([
    'Raise the burst from about 10 to 20.',
  ]);
  expect(bucketRemedies(run({ rate: 0.3, burst: 0 }, false))).toEqual([]);
});

it('is folded below its figures where the limiter is right', () => {
  const { judgement, ...rest } = run({ rate: 0, burst: 0 });
  const folded = limiterStrip({ ...rest, judgement: { ...judgement, verdict: 'pass' } }).markup;
  expect(folded).toMatch(
    /^<details class="section"><summary>.*10\.3 to 16\.2 per second.*; declared 10 per second.*<\/summary>/,
  );
  expect(limiterStrip(run({ rate: 0.1, burst: 0 })).markup).toMatch(/^<details class="section" open>/);
});

it('draws how many each stretch as long as the proof admitted, and how many it may have', () => {
  const at = (count: number, from: number) =>
    Array.from({ length: count }, (_, i) => ({ sentAt: from + i, doneAt: from + i + 1, status: 200 }));
  const { judgement, ...rest } = run({ rate: 0, burst: 1 });
  // In two seconds 20 and the largest burst, 31.
  const tooLax = { from: 4_000, to: 6_000, admitted: 102, allowed: 51 };
  const samples = [...at(51, 0), ...at(102, 4_000), ...at(1, 9_999)];
  const { markup } = limiterStrip({ ...rest, samples, judgement: { ...judgement, tooLax } });
  const bars = [
    ...markup.matchAll(/<rect class="(\w+)" x="([\d.]+)%" y="[\d.]+" width="([\d.]+)%" height="([\d.]+)"/g),
  ];
  expect(bars.map(([, kind, ...numbers]) => [kind, ...numbers.map(Number)])).toEqual([
    ['admitted', 0, 20, 50],
    ['proof', 40, 20, 100],
    ['admitted', 80, 20, 1],
  ]);
  expect(markup).toContain('<line class="bound" x2="100%" y1="50" y2="50"/>');
  expect(markup).toContain('<line class="declared" x2="100%" y1="80.4" y2="80.4"/>');
  // The axes: how many a second, and when.
  expect(
    [...markup.matchAll(/<text x="30" y="([\d.]+)" text-anchor="end">([\d.]+)</g)].map(([, y, n]) => [y, n]),
  ).toEqual([
    ['104', '0'],
    ['64.8', '20'],
    ['25.6', '40'],
  ]);
  const times = [...markup.matchAll(/<text x="([\d.]+%)" y="134" text-anchor="\w+">(\d+ s)</g)];
  expect(times.map(([, x, text]) => [x, text])).toEqual([0, 2, 4, 6, 8, 10].map((at) => [`${at * 10}%`, `${at} s`]));
  expect(markup).toContain('at most 51 in any 2 s');
  // Of what throttles too early, the bound says nothing.
  const strict = limiterStrip({ ...rest, samples, judgement: { ...judgement, verdict: 'too-strict' } }).markup;
  expect(strict).not.toContain('bound');
  expect(strict).toContain('class="declared"');
});
