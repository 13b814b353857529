import { describe, expect, it } from 'vitest';
import { defects } from '../../mock/wrong/defects/index.ts';
import { rules } from '../../spec/rules.ts';
import { notSeen } from './not-seen.ts';

describe('the defects', () => {
  it('have ids of their own', () => {
    const ids = defects.map(({ id }) => id);
    expect(ids.filter((id, i) => ids.indexOf(id) < i)).toEqual([]);
  });

  it('break existing rules', () => {
    const known = new Set<string>(rules.map(({ id }) => id));
    expect(defects.filter(({ rule }) => !known.has(rule))).toEqual([]);
  });

  it('say what they do', () => {
    expect(defects.filter(({ does }) => does === '').map(({ id }) => id)).toEqual([]);
  });

  it('can be planted', () => {
    expect(
      defects.filter(({ around, createLimiter, product }) => (around ?? createLimiter ?? product) === undefined),
    ).toEqual([]);
  });

  it('break every rule that conformance can fail or warn for', () => {
    const broken = new Set<string>(defects.map(({ rule }) => rule));
    const unbroken = rules.filter(
      ({ id, provenance, verification }) =>
        provenance === 'documented' && verification.includes('conformance') && !broken.has(id),
    );
    expect(unbroken.map(({ id }) => id)).toEqual([]);
  });

  it('are hundreds, and few of them are not seen', () => {
    const unseen = Object.values(notSeen).flat();
    expect(defects.length).toBeGreaterThan(400);
    expect(unseen.length).toBeLessThan(0.1 * defects.length);
    expect(unseen.filter((id) => !defects.some((one) => one.id === id))).toEqual([]);
  });
});
