/** `npm run fidelity:proof -- [SEQUENCES] [STEPS] [SEED]`: learns from one run of each of ten deployments written elsewhere, then measures. */
import { stepWords } from '../../compare/steps.ts';
import { deployments } from './deployments.ts';
import { type Measured, measure } from './measure.ts';

const [sequences = 1000, steps = 30, seed = 1] = process.argv.slice(2).map(Number);

const percent = (part: number, all: number) => `${((100 * part) / Math.max(1, all)).toFixed(2)}%`;

export function lines({ name, broken, recorded, compared: { replies, ways, stopped } }: Measured): string[] {
  const all = replies.alike + replies.differ;
  return [
    `${name}: ${replies.alike} of ${all} alike (${percent(replies.alike, all)}); of the recorded run ${percent(recorded.before, recorded.of)} before, ${percent(recorded.after, recorded.of)} after learning`,
    ...broken.map((id) => `  BREAKS ${id}`),
    ...(stopped === null ? [] : [`  ENDED EARLY: ${stopped}`]),
    ...ways
      .toSorted((a, b) => b.seen - a.seen)
      .map(({ difference: { at, recorded, mock }, seen, sequence }) => {
        const last = sequence.at(-1);
        return `  ${seen} × ${at}: ${recorded} there, ${mock} in the mock; ${last && stepWords(last.step)}`;
      }),
  ];
}

let [alike, of] = [0, 0];
for (const written of deployments) {
  const measured = await measure(written, { sequences, steps, seed });
  alike += measured.compared.replies.alike;
  of += measured.compared.replies.alike + measured.compared.replies.differ;
  process.stdout.write(`${lines(measured).join('\n')}\n`);
}
process.stdout.write(`\nIn all ${alike} of ${of} alike (${percent(alike, of)}).\n`);
