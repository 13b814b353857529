import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { lemma } from './lemma.ts';

const z3 = (text: string) => spawnSync('z3', ['-in', '-smt2'], { input: text, encoding: 'utf8' });
const solver = z3('(check-sat)').stdout === 'sat\n';

// Longer histories are `npm run limits:prove`.
test.runIf(solver)('no honest bucket is called wrong, in histories of three requests', () => {
  for (const claim of ['too lax', 'too strict', 'too strict, unanswered ones late'] as const)
    expect(z3(lemma(3, claim)).stdout, claim).toBe('unsat\n');
});

test.runIf(solver)('finds a counterexample for a judge that is too strict by one token', () => {
  expect(z3(lemma(2, 'too lax').replaceAll('(+ most ', '(+ (- most 1.0) ')).stdout).toBe('sat\n');
  expect(z3(lemma(3, 'too strict').replaceAll('(- least 1.0)', 'least')).stdout).toBe('sat\n');
});
