import { expect, test } from 'vitest';
import { seededRandom } from '../../spec/random.ts';
import { clockOffset, type DatedReply } from './clock-offset.ts';

interface World {
  /** The client's clock less the server's, ms, by the server's clock. */
  readonly ahead: (at: number) => number;
  readonly roundTripMs: number;
  /** How long a server keeps the text of its date, in ms. */
  readonly keptMs: number;
  readonly seconds?: number;
}

const start = Date.parse('2026-11-21T10:00:00.500Z');

function replies({ ahead, roundTripMs, keptMs, seconds = 60 }: World, seed: number): DatedReply[] {
  const random = seededRandom(seed);
  const kept = (at: number) => (keptMs === 0 ? at : Math.floor((at - start) / keptMs) * keptMs + start);
  return Array.from({ length: seconds * 10 }, (_, index) => {
    const sent = start + index * 100;
    const stamped = sent + random() * roundTripMs;
    const done = stamped + random() * roundTripMs;
    return { sentAt: sent + ahead(sent), doneAt: done + ahead(done), date: Math.floor(kept(stamped) / 1000) * 1000 };
  });
}

const quartz = (ppm: number) => (at: number) => 700 + ((at - start) * ppm) / 1e6;

test.each<[string, World, number]>([
  ['a clock that is right', { ahead: () => 0, roundTripMs: 20, keptMs: 0 }, 1000],
  ['2 s ahead', { ahead: () => 2000, roundTripMs: 20, keptMs: 0 }, 1000],
  ['2 s behind, far away', { ahead: () => -2000, roundTripMs: 300, keptMs: 0 }, 1300],
  ['a server that keeps its date for half a second', { ahead: () => -500, roundTripMs: 20, keptMs: 500 }, 1000],
  ['a clock that is being set right', { ahead: quartz(500), roundTripMs: 20, keptMs: 0 }, 1000],
  ['an hour of a clock that is too slow', { ahead: quartz(-100), roundTripMs: 20, keptMs: 0, seconds: 3600 }, 3000],
  [
    'a clock that is set in between',
    { ahead: (at) => (at < start + 30_000 ? 0 : 1900), roundTripMs: 20, keptMs: 0 },
    5000,
  ],
])('%s: the bounds hold the truth at every moment, and are no wider than they must be', (_, world, widest) => {
  for (let seed = 1; seed <= 10; seed += 1) {
    const { aheadMs, withinMs } = clockOffset(replies(world, seed)) ?? { aheadMs: 0, withinMs: 0 };
    const end = start + (world.seconds ?? 60) * 1000;
    for (let at = start; at < end; at += 1000)
      if (Math.abs(world.ahead(at) - aheadMs) > withinMs) expect.fail(`at ${at - start} ms`);
    expect(2 * withinMs).toBeLessThan(widest);
  }
});

test('knows nothing without a Date header', () => {
  expect(clockOffset([])).toBeUndefined();
});
