import { afterAll, expect, it } from 'vitest';
import { type Measured, measure, variants, writtenElsewhere } from './proof/elsewhere/measure.ts';
import { leastOf, reasonOf } from './proof/elsewhere/reasons.ts';

/**
 * `npm run fidelity:proof -- [-t NAMES]` takes all deployments, with a thousand sequences, and prints figures; the short form takes some.
 * FIDELITY_PROOF: how many sequences, of how many requests at the most, from which seed.
 */
const { FIDELITY_PROOF: long } = process.env;
const [sequences = 15, steps = 20, seed = 5] = long?.split(',').map(Number) ?? [];
const short = [
  ...['events, bare lists', 'documents behind a gateway'],
  ...['everything-otherwise', 'labels-have-parents', 'nothing-in-a-closed-context', 'labels-in-linked-pages'],
];
const some = [...writtenElsewhere, ...variants].filter(
  ({ name }) => long || process.env.PARTNERKIT_PROOF === '1' || short.includes(name),
);

const percent = (part: number, all = 1) => `${((100 * part) / Math.max(1, all)).toFixed(2)}%`;
const sums = new Map<string, { alike: number; of: number; deployments: number }>();
afterAll(() => long && console.table(Object.fromEntries(sums)));

/** Of a deployment: how much is alike, and why the rest is not. */
function print({ name, recorded, compared: { replies, ways } }: Measured): void {
  const all = replies.alike + replies.differ;
  const what = writtenElsewhere.some((one) => one.name === name) ? 'written elsewhere' : 'legal variants';
  const sum = sums.get(what) ?? { alike: 0, of: 0, deployments: 0 };
  sums.set(what, { alike: sum.alike + replies.alike, of: sum.of + all, deployments: sum.deployments + 1 });
  const byReason = Map.groupBy(ways, (way) => reasonOf(name, way));
  console.log(
    [
      `${name}: ${replies.alike} of ${all} alike (${percent(replies.alike, all)}); of the recorded run ${percent(recorded.before)} before, ${percent(recorded.after)} after learning`,
      ...[...byReason].map(([reason, own]) => `  ${own.reduce((count, { seen }) => count + seen, 0)} × ${reason}`),
    ].join('\n'),
  );
}

it('are ten, and all legal variants', () => {
  expect(writtenElsewhere).toHaveLength(10);
  expect(variants.length).toBeGreaterThan(40);
  expect(some.length).toBeGreaterThanOrEqual(short.length);
});

it.each(some)('$name: keeps the contract, and the mock that has learned answers alike', async (deployment) => {
  const measured = await measure(deployment, { sequences, steps, seed });
  if (long) print(measured);
  const { broken, recorded, compared } = measured;
  expect([broken, compared.stopped]).toEqual([[], null]);
  expect(compared.ways.filter((way) => reasonOf(deployment.name, way) === null)).toEqual([]);
  // The long form asks for reasons alone, as it prints the shares.
  if (long) return;
  const least = leastOf(deployment.name);
  expect(recorded.after).toBeGreaterThanOrEqual(least ?? 0.995);
  const { alike, differ } = compared.replies;
  expect(alike / (alike + differ)).toBeGreaterThan(least === undefined ? 0.99 : 0.8);
  expect(alike).toBeGreaterThan(50);
});
