import { spawnSync } from 'node:child_process';
import { lemma } from './lemma.ts';

/**
 * `npm run limits:prove [LENGTH]`: proves the lemma for all histories of up to so many requests (7 by default), by z3. Also shows
 * that the solver can find what is there: with a judge that is stricter by a token it gives a counterexample.
 */
const longest = Number(process.argv[2] ?? 7);

function ask(text: string): string {
  const { stdout, error } = spawnSync('z3', ['-in', '-smt2'], { input: text, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (error !== undefined) throw new Error(`z3 is needed (Debian: apt install z3): ${error.message}`);
  return stdout.trim();
}

let right = true;
function expectAnswer(what: string, text: string, expected: 'sat' | 'unsat'): void {
  const begin = performance.now();
  const answer = ask(text);
  right &&= answer === expected;
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  process.stdout.write(`${answer === expected ? 'ok    ' : 'WRONG '} ${what}: ${answer} (${seconds} s)\n`);
}

for (let length = 1; length <= longest; length += 1)
  for (const claim of ['too lax', 'too strict', 'too strict, unanswered ones late'] as const)
    expectAnswer(`no honest bucket is called ${claim}, ${length} requests`, lemma(length, claim), 'unsat');

// The same question of a judge that asks for a token too much, which must have an answer.
const greedyLax = lemma(2, 'too lax').replaceAll('(+ most ', '(+ (- most 1.0) ');
const greedyStrict = lemma(3, 'too strict').replaceAll('(- least 1.0)', 'least');
expectAnswer('a judge that allows a token less is wrong somewhere', greedyLax, 'sat');
expectAnswer('a judge that expects a token more is wrong somewhere', greedyStrict, 'sat');
process.exitCode = right ? 0 : 1;
