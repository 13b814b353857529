import { sentenceOf } from './judge-row.ts';
import { rows } from './limiters.ts';
import { networks } from './simulation/networks.ts';

/** `npm run limits:table [SEEDS]`: what is said of every limiter, through two networks; exit 1 where it is not what should be. */
const seeds = Number(process.argv[2] ?? 3);
let wrong = 0;
for (const row of rows) {
  for (const name of ['0 ms', '80 ms'] as const) {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const sentence = sentenceOf(row, networks[name], seed);
      const right = row.says.test(sentence);
      if (!right) wrong += 1;
      if (!right || (seed === 1 && name === '0 ms'))
        process.stdout.write(
          `${right ? 'ok   ' : 'WRONG'} ${row.does}${right ? '' : ` (${name}, seed ${seed})`}: ${sentence}\n`,
        );
    }
  }
}
process.stdout.write(
  `${rows.length} limiters, ${rows.length * 2 * seeds} runs: ${wrong} sentences are not what they should be\n`,
);
process.exitCode = wrong === 0 ? 0 : 1;
