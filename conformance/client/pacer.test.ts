import { describe, expect, it } from 'vitest';
import { createPacer } from './pacer.ts';

/** An environment in which a sleep ends at once and advances the clock. */
function world() {
  let now = 1_000_000;
  return {
    now: () => now,
    sleep: async (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

/** The times of `count` consecutive turns, in ms after the first. */
async function turns(limit: { perSecond: number; burst: number }, count: number) {
  const environment = world();
  const pacer = createPacer(limit, environment);
  const startedAt = environment.now();
  const at: number[] = [];
  for (let i = 0; i < count; i++) {
    await pacer.turn();
    at.push(environment.now() - startedAt);
  }
  return at;
}

describe('the pacer of a key', () => {
  it.each([
    { perSecond: 10, burst: 20 },
    { perSecond: 50, burst: 100 },
    { perSecond: 0.5, burst: 1 },
    { perSecond: 3, burst: 2 },
  ])('stays under $perSecond per second and $burst in every window', async (limit) => {
    const at = await turns(limit, 300);
    for (let i = 0; i < at.length; i++) {
      for (let j = i; j < at.length; j++) {
        const seconds = ((at[j] ?? 0) - (at[i] ?? 0)) / 1000;
        expect(j - i + 1).toBeLessThanOrEqual(limit.burst + limit.perSecond * seconds + 1e-6);
      }
    }
  });

  it('waits at most a twentieth longer than the declared rate needs', async () => {
    const at = await turns({ perSecond: 10, burst: 20 }, 520);
    expect(at.at(-1)).toBeLessThan(((520 - 14) / 10) * 1000 * 1.05);
    expect(at.filter((moment) => moment === 0)).toHaveLength(14);
  });

  it('lets one request pass at the end of a pause, and no burst', async () => {
    const environment = world();
    const pacer = createPacer({ perSecond: 10, burst: 20 }, environment);
    const startedAt = environment.now();
    pacer.pause(3_000);
    await pacer.turn();
    expect(environment.now() - startedAt).toBeCloseTo(3_000);
    await pacer.turn();
    expect(environment.now() - startedAt).toBeGreaterThan(3_090);
  });

  it('counts unpaced requests, and never waits longer for them than for an empty bucket', async () => {
    const environment = world();
    const pacer = createPacer({ perSecond: 10, burst: 20 }, environment);
    const startedAt = environment.now();
    for (let i = 0; i < 10; i++) pacer.used();
    for (let i = 0; i < 4; i++) await pacer.turn();
    expect(environment.now()).toBe(startedAt);
    await pacer.turn();
    expect(environment.now() - startedAt).toBeGreaterThan(100);
    for (let i = 0; i < 1_000; i++) pacer.used();
    const usedUpAt = environment.now();
    await pacer.turn();
    expect(environment.now() - usedUpAt).toBeGreaterThan(100);
    expect(environment.now() - usedUpAt).toBeLessThan(210);
  });
});
