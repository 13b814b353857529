import { describe, expect, it } from 'vitest';
import type { Target } from '../spec/files/target.ts';
import { checks } from './checks/index.ts';
import { runVirtually, type VirtualRun } from './proof/run-virtually.ts';

/** How much longer a run took than the limit of its busiest key makes it take. */
async function ratioOf(options: VirtualRun) {
  const record = await runVirtually(checks, { mock: { latency: () => 40 }, allowLeftovers: false, ...options });
  return { record, ratio: (record.finishedAt - record.startedAt) / (record.pace?.milliseconds ?? 0) };
}

/** The target file with these keys of the tenant under test alone. */
const having = (names: readonly string[]) => (target: Target) => {
  const copy = structuredClone(target);
  const [acme] = copy.tenants;
  if (acme !== undefined) acme.keys = acme.keys.filter(({ name }) => names.includes(name));
  return copy;
};

describe('a run takes at most 1.2 times as long as the limits of its keys make it take', () => {
  it.each<[what: string, options: VirtualRun]>([
    ['with every key there can be', {}],
    ['with a key for everything and one for limits', { describe: having(['full', 'limits']) }],
    ['with a single key', { describe: having(['full']) }],
    ['without limit checks', { skip: ['limits'] }],
  ])('%s', async (_, options) => {
    const { record, ratio } = await ratioOf(options);
    expect(record.pace).toMatchObject({ key: 'acme/full' });
    expect(record.pace?.requests).toBeGreaterThan(400);
    expect(ratio).toBeLessThan(1.2);
  });
});

it('a run against a mock without limits, declared as such, takes less than five seconds', async () => {
  const unlimited = (target: Target) => {
    const copy = structuredClone(target);
    for (const tenant of copy.tenants) {
      tenant.keys = tenant.keys.filter(({ use }) => use !== 'limits');
      for (const key of tenant.keys) key.rateLimit = { perSecond: 10_000, burst: 20_000 };
    }
    return copy;
  };
  const { record } = await ratioOf({ describe: unlimited, mock: { rateLimit: false, latency: () => 2 } });
  expect(record.finishedAt - record.startedAt).toBeLessThan(5_000);
  const unrun = record.results.filter(({ outcome }) => outcome === 'not-run');
  expect(unrun.every(({ id }) => id.startsWith('limiter/'))).toBe(true);
  expect(record.pace).toBe(null);
});
