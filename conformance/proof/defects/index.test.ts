import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rules } from '../../../spec/rules.ts';
import { checks } from '../../checks/index.ts';
import type { ProofMatrix } from '../proof-matrix.ts';
import { defects } from './index.ts';

const matrix = JSON.parse(readFileSync(new URL('../kill-matrix.json', import.meta.url), 'utf8')) as ProofMatrix;

describe('the defects', () => {
  it('have ids of their own', () => {
    expect(new Set(defects.map(({ id }) => id)).size).toBe(defects.length);
  });

  it('break rules that there are', () => {
    const known = new Set<string>(rules.map(({ id }) => id));
    expect(defects.filter(({ breaks }) => !known.has(breaks))).toEqual([]);
  });

  it('can be planted', () => {
    expect(defects.filter(({ around, options }) => around === undefined && options === undefined)).toEqual([]);
  });

  it('break every rule that conformance can fail or warn for', () => {
    const broken = new Set<string>(defects.filter(({ survives }) => !survives).map(({ breaks }) => breaks));
    const unbroken = rules.filter(
      ({ id, provenance, verification }) =>
        provenance === 'documented' && verification.includes('conformance') && !broken.has(id),
    );
    expect(unbroken.map(({ id }) => id)).toEqual([]);
  });

  it('are two that nobody can see, and at least a hundred that somebody can', () => {
    expect(defects.filter(({ survives }) => survives)).toHaveLength(2);
    expect(defects.length).toBeGreaterThan(102);
  });
});

describe('the kill matrix', () => {
  it('knows these defects and checks: run npm run proof', () => {
    expect(matrix.defects.map(({ id, breaks }) => [id, breaks])).toEqual(defects.map(({ id, breaks }) => [id, breaks]));
    expect(matrix.checks).toEqual(checks.map(({ id, rule }) => ({ id, rule })));
  });

  it('has every defect killed by a check of the rule that it breaks, but those that nobody can see', () => {
    const wrong = matrix.defects.filter(({ fate, survives }) => fate !== (survives ? 'survived' : 'killed'));
    expect(wrong.map(({ id, fate }) => `${id} ${fate}`)).toEqual([]);
  });

  it('has no false alarm', () => {
    expect(matrix.variants.flatMap(({ falseAlarms }) => falseAlarms)).toEqual([]);
    expect(matrix.variants.length).toBeGreaterThanOrEqual(12);
  });
});
