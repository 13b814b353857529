import { expect, it } from 'vitest';
import { measure, variants, writtenElsewhere } from './proof/elsewhere/measure.ts';
import { leastOf, reasonOf } from './proof/elsewhere/reasons.ts';

/** The short form takes some of them; `npm run fidelity:proof` takes all, with a thousand sequences. */
const short = [
  ...['events, bare lists', 'documents behind a gateway'],
  ...['everything-otherwise', 'labels-have-parents', 'nothing-in-a-closed-context', 'labels-in-linked-pages'],
];
const some = [...writtenElsewhere, ...variants].filter(
  ({ name }) => process.env.PARTNERKIT_PROOF === '1' || short.includes(name),
);

it('are ten, and all legal variants', () => {
  expect(writtenElsewhere).toHaveLength(10);
  expect(variants.length).toBeGreaterThan(40);
  expect(some.length).toBeGreaterThanOrEqual(short.length);
});

it.each(some)('$name: keeps the contract, and the mock that has learned answers alike', async (deployment) => {
  const { broken, recorded, compared } = await measure(deployment, { sequences: 15, steps: 20, seed: 5 });
  expect([broken, compared.stopped]).toEqual([[], null]);
  expect(compared.ways.filter((way) => reasonOf(deployment.name, way) === null)).toEqual([]);
  const least = leastOf(deployment.name);
  expect(recorded.after).toBeGreaterThanOrEqual(least ?? 0.995);
  const { alike, differ } = compared.replies;
  expect(alike / (alike + differ)).toBeGreaterThan(least === undefined ? 0.99 : 0.8);
  expect(alike).toBeGreaterThan(50);
});
