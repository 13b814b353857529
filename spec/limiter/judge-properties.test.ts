import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { envelope } from './envelope.ts';
import { judge } from './judge.ts';
import { measuredIn } from './measure.ts';
import type { Admission, Observation } from './observation.ts';
import { leastTaken, widened, windowsOf } from './proof/definition.ts';
import { statusOf } from './proof/simulate.ts';

const sample = (sentAt: number, doneAt: number, admission: Admission): Observation => ({
  sentAt,
  doneAt,
  status: statusOf[admission],
});

const samplesAmong = (admissions: Admission[]) =>
  fc.array(
    fc
      .tuple(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 400 }), fc.constantFrom(...admissions))
      .map(([sentAt, takes, admission]) => sample(sentAt, sentAt + takes, admission)),
    { maxLength: 24 },
  );
const anySamples = samplesAmong(['admitted', 'admitted', 'throttled', 'refused', 'unknown']);
const anyLimit = fc.record({
  perSecond: fc.constantFrom(1, 2, 5),
  burst: fc.integer({ min: 1, max: 4 }),
  drift: fc.constantFrom(0, 0.1),
  tick: fc.constantFrom(0, 0, 300),
});

describe('judge against its definition', () => {
  const seen = new Set<string>();

  test('too lax and too strict agree with the definitions, computed in cubic time', () => {
    fc.assert(
      fc.property(anySamples, anyLimit, fc.constantFrom(0, 1, 40), (samples, limit, skewMs) => {
        const { perSecond, burst, drift, tick } = limit;
        const judgement = judge(limit, samples, { skewMs, lateMs: 500 });
        const allows = (length: number) =>
          Math.floor(burst + perSecond + 1 + (perSecond * (1 + drift) * (length + tick)) / 1000 + 1e-6);
        const over = windowsOf(widened(samples, 'admitted', skewMs)).filter(
          ({ length, count }) => count > allows(length),
        );
        expect(judgement.tooLax !== undefined).toBe(over.length > 0);
        if (judgement.tooLax !== undefined) {
          const { from, to, admitted, allowed } = judgement.tooLax;
          const inside = widened(samples, 'admitted', skewMs).filter(({ s, e }) => s >= from && e <= to).length;
          expect({ admitted, allowed }).toEqual({ admitted: inside, allowed: allows(to - from) });
        }
        const tokens = burst - leastTaken(samples, (perSecond * (1 - drift)) / 1000, tick, skewMs, 500);
        // What throttled requests excuse is no proof.
        if (judgement.kind?.name === 'throttled-take-tokens') return;
        if (Math.abs(tokens - 1) > 1e-5) expect(judgement.tooStrict !== undefined).toBe(tokens >= 1);
        if (judgement.tooStrict !== undefined) expect(judgement.tooStrict.tokens).toBeCloseTo(tokens, 4);
        seen.add(judgement.verdict);
      }),
      { numRuns: 600, seed: 1 },
    );
    expect([...seen].sort()).toEqual(expect.arrayContaining(['inconclusive', 'too-lax', 'too-strict']));
  });

  test('every bucket that can explain the samples is inside the measured intervals', () => {
    let explained = 0;
    fc.assert(
      fc.property(samplesAmong(['admitted', 'throttled', 'throttled']), anyLimit, (samples, limit) => {
        const { rate, burst, bucket } = measuredIn(envelope(samples, limit, { skewMs: 0 }), limit);
        const windows = windowsOf(widened(samples, 'admitted', 0));
        for (const perSecond of [0.3, 1, 2, 4, 8]) {
          if (perSecond > 4 * limit.perSecond) continue;
          const perMs = perSecond / 1000;
          const below = leastTaken(samples, perMs, limit.tick, 0, 0) + 1;
          for (const held of [1, 1.5, 2, 3, 5, 8]) {
            const fits = windows.every(({ length, count }) => count <= held + 1 + perMs * (length + limit.tick));
            if (!fits || held >= below - 1e-5) continue;
            explained += 1;
            expect(bucket).toBe(true);
            expect(perSecond).toBeGreaterThanOrEqual(rate.low - 1e-9);
            expect(perSecond).toBeLessThanOrEqual(rate.high + 1e-9);
            expect(held).toBeGreaterThanOrEqual(burst.low - 1e-9);
            expect(held).toBeLessThan(burst.high + 1e-9);
          }
        }
      }),
      { numRuns: 300, seed: 2 },
    );
    expect(explained).toBeGreaterThan(100);
  });
});

describe('an honest bucket', () => {
  const journeys = fc.array(
    fc.record({
      pause: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 900 })),
      there: fc.integer({ min: 0, max: 700 }),
      back: fc.integer({ min: 0, max: 700 }),
      // Refused before the limiter or behind it.
      lost: fc.constantFrom('no', 'no', 'no', 'no', 'request', 'reply', 'refused before', 'refused behind'),
    }),
    { minLength: 1, maxLength: 60 },
  );
  const bucket = fc.record({
    burst: fc.integer({ min: 1, max: 4 }),
    perSecond: fc.constantFrom(1, 3, 7),
    // Which honest reading: from `burst` to `burst + rate + 1`; and how far off the clock may be.
    reading: fc.constantFrom(0, 0.3, 1),
    drift: fc.constantFrom(-0.001, 0, 0.001),
    // How full a key is that was in use before.
    start: fc.constantFrom(0, 0.4, 1),
    // Clocks of two machines, within the skew; whole milliseconds on both.
    clocks: fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 })),
  });

  test('is never accused, whatever the network, the clocks and the losses, and lies inside the measured intervals', () => {
    fc.assert(
      fc.property(journeys, bucket, (requests, { burst, perSecond, reading, drift, start, clocks }) => {
        const capacity = burst + reading * (perSecond + 1);
        const rate = perSecond * (1 + drift);
        let sentAt = 1_700_000_000_000;
        const travelling = requests.map(({ pause, there, back, lost }, index) => {
          sentAt += pause;
          return {
            sentAt,
            decidedAt: sentAt + there,
            doneAt: sentAt + there + back,
            lost,
            clock: clocks[index % 2] ?? 0,
          };
        });
        travelling.sort((a, b) => a.decidedAt - b.decidedAt);
        let tokens = start * capacity;
        let last = Math.min(...travelling.map((one) => one.sentAt));
        const samples = travelling.map((one): Observation => {
          const shifted = { sentAt: one.sentAt + one.clock, doneAt: one.doneAt + one.clock };
          if (one.lost === 'request') return { ...shifted, status: 0 };
          if (one.lost === 'refused before') return { ...shifted, status: 403 };
          tokens = Math.min(capacity, tokens + (rate * (one.decidedAt - last)) / 1000);
          last = one.decidedAt;
          const admitted = tokens >= 1;
          if (admitted) tokens -= 1;
          if (one.lost === 'reply') return { sentAt: shifted.sentAt, doneAt: shifted.sentAt, status: 0 };
          if (one.lost === 'refused behind' && admitted) return { ...shifted, status: 404 };
          return { ...shifted, status: admitted ? 200 : 429 };
        });
        const options = { skewMs: 9, startedFull: start === 1 };
        const { verdict, reason, measured } = judge({ perSecond, burst }, samples, options);
        expect(['pass', 'inconclusive'], reason).toContain(verdict);
        // An empty start hides up to a whole declared burst, so only a full one lets the burst be measured.
        if (start !== 1) return;
        expect(measured.bucket).toBe(true);
        expect(measured.rate.low).toBeLessThanOrEqual(rate);
        expect(measured.rate.high).toBeGreaterThanOrEqual(rate);
        expect(measured.burst.low).toBeLessThanOrEqual(capacity);
        expect(measured.burst.high).toBeGreaterThan(capacity - 1e-6);
      }),
      { numRuns: Number(process.env.RATE_LIMIT_SEEDS ?? 10) * 150, seed: 3 },
    );
  });
});
