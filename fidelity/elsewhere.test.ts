import { expect, it } from 'vitest';
import { deployments } from './proof/elsewhere/deployments.ts';
import { measure } from './proof/elsewhere/measure.ts';
import { reasonOf } from './proof/elsewhere/reasons.ts';

/** The short form takes two of them; `npm run fidelity:proof` takes all, with a thousand sequences. */
const short = ['events, bare lists', 'documents behind a gateway'];
const some = deployments.filter(({ name }) => process.env.PARTNERKIT_PROOF === '1' || short.includes(name));

it('are ten, of four kinds', () => {
  expect(deployments).toHaveLength(10);
  expect(new Set(deployments.map(({ make }) => make)).size).toBe(4);
  expect(some.length).toBeGreaterThanOrEqual(short.length);
});

it.each(some)(
  '$name: keeps the contract, and the mock that has learned answers alike',
  async (written) => {
    const { broken, recorded, compared } = await measure(written, { sequences: 15, steps: 20, seed: 5 });
    expect([broken, compared.stopped, compared.left]).toEqual([[], null, []]);
    expect(compared.ways.filter((way) => reasonOf(way) === null)).toEqual([]);
    expect(recorded.after).toBeGreaterThan(recorded.before);
    const { alike, differ } = compared.replies;
    expect(alike / (alike + differ)).toBeGreaterThan(0.99);
    expect(alike).toBeGreaterThan(100);
  },
  60_000,
);
