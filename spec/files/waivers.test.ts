import { expect, test } from 'vitest';
import { ConfigurationError } from './configuration-error.ts';
import { parseWaivers } from './waivers.ts';

const waiver = { id: 'labels/apply-twice', reason: 'ticket 12', owner: 'dana', expires: '2026-12-31' };

const problemsOf = (value: unknown) => {
  try {
    parseWaivers(value, 'w.yaml');
    return [];
  } catch (error) {
    return error instanceof ConfigurationError ? error.problems : [String(error)];
  }
};

test('reads a list of waivers', () => {
  expect(parseWaivers({ $schema: 'x', waivers: [waiver] }, 'w.yaml')).toEqual([waiver]);
});

test('names every problem with its place', () => {
  expect(
    problemsOf({
      waivers: [
        { ...waiver, expires: '31.12.2026' },
        { ...waiver, id: 'a', owner: ' ' },
        { ...waiver, id: 'b', until: 1 },
      ],
    }),
  ).toEqual([
    'w.yaml: waivers[0].expires: must be a date such as 2026-12-31',
    'w.yaml: waivers[1].owner: must not be empty',
    'w.yaml: waivers[2].until: unknown property; allowed: id, reason, owner, expires',
  ]);
});

test('refuses a day that no calendar has', () => {
  expect(problemsOf({ waivers: [{ ...waiver, expires: '2026-02-30' }] })).toHaveLength(1);
});

test('refuses two waivers for one check', () => {
  expect(problemsOf({ waivers: [waiver, waiver] })).toEqual([
    'w.yaml: waivers[1].id: another waiver is for this check',
  ]);
});

test('a waiver without a reason is refused', () => {
  const { reason: _, ...rest } = waiver;
  expect(problemsOf({ waivers: [rest] })).toEqual(['w.yaml: waivers[0].reason: is missing']);
});
