import { describe, expect, test } from 'vitest';
import { isRuleId, type RuleId, ruleById, rules, rulesFor } from './rules.ts';

/** Every heading of the specification that has statements below it; the order is the specification's. */
const headings = [
  'What the service does',
  'Identifiers',
  'Conversation context',
  'Site file upload target',
  'Labels',
  'Site file',
  'Error body',
  'States and transitions',
  'Endpoints',
  '1. Start a site file upload',
  '2. Get conversation context',
  '3. Apply a label to a conversation',
  '4. Remove a label from a conversation',
  '5. Apply a label to a site',
  '6. Remove a label from a client-site link',
  'Other endpoints referenced',
  'Authentication',
  'Events',
  'Errors',
  'Limits',
  'Versioning',
];

describe('the rules', () => {
  test('cover every section of the specification, in its order', () => {
    expect([...new Set(rules.map(({ section }) => section))]).toEqual(headings);
  });

  test('are few enough to be read by a person', () => {
    expect(rules.length).toBeGreaterThanOrEqual(60);
    expect(rules.length).toBeLessThanOrEqual(200);
  });

  test('say what to do in a deployment that breaks one', () => {
    const failing = [...rulesFor('conformance'), ...rulesFor('load')].filter(
      ({ provenance }) => provenance === 'documented',
    );
    expect(failing.filter(({ remedy }) => remedy === undefined)).toEqual([]);
  });

  test('have unique ids', () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  });

  test('are untestable only with a reason, and verified by the mock alone only with a behaviour', () => {
    expect(rulesFor('untestable').filter(({ reason }) => reason === undefined)).toEqual([]);
    expect(rulesFor('mock').filter(({ behaviour }) => behaviour === undefined)).toEqual([]);
  });

  test('are open only if nothing is documented', () => {
    const open = rules.filter(({ id }) => id.startsWith('open/'));
    expect(open.filter(({ provenance }) => provenance === 'documented')).toEqual([]);
    expect(open.filter(({ verification }) => !verification.includes('untestable'))).toEqual([]);
  });
});

describe('ruleById', () => {
  test('finds a rule', () => {
    expect(ruleById('auth/no-key-is-403')).toMatchObject({ level: 'must', provenance: 'documented' });
  });

  test('names an id that no rule has', () => {
    expect(() => ruleById('auth/nobody' as RuleId)).toThrow('auth/nobody is not a rule');
  });
});

test('isRuleId tells rules from other text', () => {
  expect([isRuleId('auth/no-key-is-403'), isRuleId('auth/nobody'), isRuleId('toString')]).toEqual([true, false, false]);
});

test('rulesFor gives a rule under each of its verifications', () => {
  const ids = (verification: 'conformance' | 'load' | 'mock') => rulesFor(verification).map(({ id }) => id);
  expect(ids('conformance')).toContain('limiter/burst');
  expect(ids('load')).toContain('limiter/burst');
  expect(ids('mock')).not.toContain('limiter/burst');
  expect(ids('mock')).toContain('keys/secret-shown-only-once');
});
