import { expect, it } from 'vitest';
import { mutants, switchable } from './mutants.ts';

it('finds the assertions and the controls of checks', () => {
  const all = mutants();
  expect(all.length).toBeGreaterThan(240);
  expect(all.find(({ text }) => text.startsWith('expectStatus(reply, [403], why)'))).toMatchObject({
    file: 'auth.ts',
    kind: 'assertion',
    nth: 1,
  });
  expect(all.find(({ text }) => text.startsWith('throw new Inconclusive(`the control failed'))?.kind).toBe('control');
  expect(all.some(({ text }) => text.startsWith('throw deviation(run)'))).toBe(true);
});

it('makes each of them ask whether it is there, on the line where it was', () => {
  const source = switchable('refused-label-writes.ts', 7);
  expect(source).toContain("mutation.expectation(7, expectControl)(before, 'removing");
  expect(source).toContain('while (mutation.isThere(8)) throw new (mutation.error(8, Inconclusive))(');
});

it('leaves declarations of expectations alone', () => {
  expect(mutants().filter(({ text }) => text.includes('{ readonly'))).toEqual([]);
  expect(switchable('labels-membership.ts', 0)).toContain('function expectDone(reply: Reply, why: string): void {');
});
