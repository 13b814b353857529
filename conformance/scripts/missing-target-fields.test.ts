import { expect, it } from 'vitest';
import { rules } from '../../spec/rules.ts';
import { deploymentOf } from '../target/deployment.ts';
import { scripts } from './index.ts';
import { completeTarget, gainsOf } from './missing-target-fields.ts';

const all = new Set(rules.map(({ id }) => id));
const [tenant, stranger] = completeTarget.tenants;
if (tenant === undefined || stranger === undefined) throw new Error('completeTarget has two tenants');
const oneKey = { ...completeTarget, tenants: [{ name: tenant.name, keys: tenant.keys.slice(0, 1) }] };

it('has a script for each rule that conformance verifies', () => {
  const tried = new Set([...scripts(deploymentOf(completeTarget))].flatMap(({ tries }) => tries));
  const untried = rules.filter(({ id, verification }) => verification.includes('conformance') && !tried.has(id));
  expect(untried.map(({ id }) => id)).toEqual([]);
});

it('names the missing fields, the most useful first, each with what it adds to those before it', () => {
  const gains = gainsOf(oneKey, all, true);
  expect(gains[0]?.rules.length).toBeGreaterThan(10);
  const counts = gains.map((gain) => gain.rules.length);
  // A field may add more once another is there, so only the first is surely the most useful.
  expect(counts[0]).toBe(Math.max(...counts));
  expect(counts.findLastIndex((count) => count > 0)).toBeLessThan(counts.indexOf(0));
  expect(gains.map(({ field }) => field)).toEqual(
    expect.arrayContaining([
      'tenants[0].spareLabel',
      'tenants[0].privateLabels',
      'tenants[1], another tenant, with keys and records of its own',
    ]),
  );
  const named = gains.flatMap((gain) => gain.rules);
  expect(new Set(named).size).toBe(named.length);
});

it('names a revoked key where no tenant has one', () => {
  const keys = stranger.keys.filter(({ revoked }) => !revoked);
  const gains = gainsOf({ ...oneKey, tenants: [...oneKey.tenants, { ...stranger, keys }] }, all, true);
  const [gain] = gains.filter(({ field }) => field.endsWith('keys: a revoked key'));
  expect(gain).toMatchObject({ field: 'tenants[0].keys: a revoked key', rules: ['auth/revoked-key-is-403'] });
});

it('promises only scripts that run once the field is set', () => {
  const ready = (target: typeof completeTarget) =>
    [...scripts(deploymentOf(target))].filter((one) => !('missing' in one) && !one.slow && one.writes !== 'risk');
  const [gain] = gainsOf({ ...completeTarget, tenants: [tenant] }, all, true);
  expect(gain?.field).toMatch(/^tenants\[1], another tenant/);
  expect(gain?.scripts).toBe(ready(completeTarget).length - ready({ ...completeTarget, tenants: [tenant] }).length);
});

it('names no field if none is missing or no rule lacks evidence', () => {
  expect(gainsOf(completeTarget, all, true)).toEqual([]);
  expect(gainsOf(oneKey, new Set(), true)).toEqual([]);
});

it('names the fields that only add scripts, where every rule has evidence', () => {
  const { spareLabel: _, spareLabels: __, ...poorer } = stranger;
  const [gain] = gainsOf({ ...completeTarget, tenants: [tenant, poorer] }, new Set(), true, all);
  expect(gain).toMatchObject({ field: 'tenants[1].spareLabel', rules: [] });
  expect(gain?.scripts).toBeGreaterThan(3);
});

it('names the records of private labels that are named without them', () => {
  const privateLabels = tenant.privateLabels?.map(({ id, name }) => ({ id, name }));
  const { privateLabel: _, ...others } = tenant;
  const target = { ...completeTarget, tenants: [{ ...others, privateLabels }, stranger] };
  const missing = [...scripts(deploymentOf(target))].flatMap((one) =>
    'missing' in one && /impossible|private/.test(one.id) ? one.missing : [],
  );
  expect(new Set(missing)).toEqual(new Set(privateLabels?.map((_, i) => `tenants[0].privateLabels[${i}].on`)));
});
