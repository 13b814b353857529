import { expect, it } from 'vitest';
import { areasThrough, mutants } from './mutants.ts';

it('takes away one assertion each, and evaluates its arguments all the same', () => {
  const all = mutants();
  expect(all.length).toBeGreaterThan(150);
  const status = all.find(({ text }) => text.startsWith('if (is403) expectStatus(reply'));
  expect(status?.kind).toBe('assertion');
  expect(status?.source).toContain('if (is403) ((..._: unknown[]) => {})(reply, [403], why);');
});

it('leaves declarations of expectations alone', () => {
  expect(mutants().filter(({ text }) => text.startsWith('function expect'))).toEqual([]);
});

it('knows which areas run through a file', () => {
  expect(areasThrough('ids.ts')).toEqual(['ids.ts']);
  expect(areasThrough('refused-label-writes.ts')).toEqual(
    expect.arrayContaining(['auth.ts', 'scopes.ts', 'isolation.ts']),
  );
});
