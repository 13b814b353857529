import { expect, test } from 'vitest';
import { laws } from './judge.ts';
import { assertKnownSelection, leftOut, rulesOf, type Selection } from './selection.ts';

const selected = (selection: Selection) => laws.filter((law) => leftOut(law, selection) === null).map(({ id }) => id);

test('selects by ids of laws and rules, and by their beginnings up to a slash', () => {
  const labels = selected({ only: ['labels'] });
  expect(labels.length).toBeGreaterThan(10);
  expect(labels.every((id) => id.startsWith('labels/'))).toBe(true);
  expect(selected({ only: ['labels'], skip: ['labels/'] })).toEqual([]);
  expect(selected({ only: ['label'] })).toEqual([]);
});

test('--skip limits leaves out everything that exhausts a key', () => {
  const skipped = new Set(selected({ only: ['limits'] }));
  expect(skipped.has('limiter/steady-rate')).toBe(true);
  expect([...(rulesOf(laws, { skip: ['limits'] }).rules ?? [])].filter((rule) => rule.startsWith('limiter/'))).toEqual(
    [],
  );
  expect([...skipped].every((id) => /^(?:limiter|limits)\//.test(id))).toBe(true);
});

test('names words that select nothing, with the nearest that select something', () => {
  expect(() => assertKnownSelection({ only: ['labels', 'limits'], skip: ['must'] }, laws)).not.toThrow();
  expect(() => assertKnownSelection({ only: ['lables'] }, laws)).toThrow(/--only lables: .*did you mean "labels"/);
});
