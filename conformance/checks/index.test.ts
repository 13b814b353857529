import { expect, it } from 'vitest';
import { rulesFor } from '../../spec/rules.ts';
import { areaOf } from '../check.ts';
import { oddities, runVirtually } from '../proof/run-virtually.ts';
import { checks } from './index.ts';

/** Areas whose checks are written by now. */
const written = new Set(checks.map(areaOf));

it('have ids that nobody else has', () => {
  const ids = checks.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) < index)).toEqual([]);
  expect(ids.filter((id) => !/^[a-z]+(\/[a-z0-9-]+)+$/.test(id))).toEqual([]);
});

it('verify every rule that is for conformance to verify', () => {
  const verified = new Set(checks.map(({ rule }) => rule));
  const missing = rulesFor('conformance').filter(({ id }) => written.has(areaOf({ id })) && !verified.has(id));
  expect(missing.map(({ id }) => id)).toEqual([]);
});

it('hold a lock whenever they change labels', () => {
  expect(checks.filter(({ writes, locks }) => writes === 'labels' && !locks?.length).map(({ id }) => id)).toEqual([]);
});

it('all pass on the mock, one after another or together, near or far', async () => {
  for (const options of [{ parallel: 1 }, { parallel: 8, mock: { seed: 2 } }]) {
    const record = await runVirtually(checks, options);
    expect(oddities(record)).toEqual([]);
  }
});

it('never fail a network that loses connections', async () => {
  const record = await runVirtually(checks, { mock: { seed: 3, drops: (random) => random() < 0.1 } });
  expect(record.results.filter(({ outcome }) => outcome === 'fail' || outcome === 'warn')).toEqual([]);
});
