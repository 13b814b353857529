import { expect, it } from 'vitest';
import { firstRounds, maxRounds } from '../numbers.ts';
import { Bench, RunState, type Scene } from './bench.ts';
import { examine, type Question } from './trial.ts';

const scene = { planning: false, random: () => 0, sleep: async () => {} } as unknown as Scene;

/** A sign that the script shows now and then, and the control never, so that more rounds are needed. */
function questioned(isSpent: boolean) {
  let rounds = 0;
  const question: Question = {
    rule: 'labels/apply-adds',
    sign: 'missing x',
    script: async () => ++rounds % 4 === 0,
    control: async () => false,
    isSpent: () => isSpent,
  };
  return { question, rounds: () => rounds };
}

it('tries a rule once and shortly where a record was changed as often as is meant, else again and longer', async () => {
  for (const [isSpent, most] of [
    [true, firstRounds],
    [false, maxRounds],
  ] as const) {
    const b = new Bench({ ...scene, state: new RunState() }, true);
    const first = questioned(isSpent);
    expect(await examine(b, first.question)).toBe('unclear');
    expect(first.rounds()).toBe(most);
    const second = questioned(isSpent);
    expect(await examine(b, second.question)).toBe(isSpent ? null : 'unclear');
    expect(second.rounds()).toBe(isSpent ? 0 : most);
  }
});
