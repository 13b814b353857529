import { describe, expect, test } from 'vitest';
import { renderRules } from './rules-module.ts';

const rule = (changes: Record<string, unknown>) =>
  JSON.stringify({
    id: 'auth/one',
    section: 'Authentication',
    rule: 'One.',
    level: 'must',
    provenance: 'documented',
    verification: ['conformance'],
    ...changes,
  });

describe('renderRules', () => {
  test('writes a module without imports', () => {
    expect(renderRules(`[${rule({})}]`)).not.toMatch(/\bimport\b/);
  });

  test.each([
    ['an id twice', [rule({}), rule({})], 'spec/rules.yaml: auth/one: an id stands for one rule only'],
    ['an id without an area', [rule({ id: 'one' })], 'spec/rules.yaml: one: id: an id is area/words-with-dashes'],
    ['no sentence', [rule({ rule: 'one' })], 'spec/rules.yaml: auth/one: rule: a rule is a sentence'],
    ['no verification', [rule({ verification: [] })], 'spec/rules.yaml: auth/one: verification: '],
    ['untestable without a reason', [rule({ verification: ['untestable'] })], 'auth/one: untestable and reason'],
    ['a reason for a tested rule', [rule({ reason: 'none' })], 'auth/one: untestable and reason'],
    [
      'untestable beside a test',
      [rule({ verification: ['load', 'untestable'], reason: 'none' })],
      'auth/one: untestable stands alone',
    ],
    ['mock without its behaviour', [rule({ verification: ['mock'] })], 'auth/one: verification by mock'],
    ['an unknown field', [rule({ levle: 'must' })], 'auth/one: Unrecognized key: "levle"'],
  ])('refuses %s', (_, rules, message) => {
    expect(() => renderRules(`[${rules.join()}]`)).toThrow(message);
  });
});
