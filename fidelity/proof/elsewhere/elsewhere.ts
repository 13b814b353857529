/** `npm run fidelity:proof -- [SEQUENCES] [STEPS] [SEED]`: learns from one run of each of ten deployments written elsewhere, then measures. */
import { stepWords } from '../../compare/steps.ts';
import { deployments } from './deployments.ts';
import { type Measured, measure } from './measure.ts';
import { reasonOf } from './reasons.ts';

const [sequences = 1000, steps = 30, seed = 1] = process.argv.slice(2).map(Number);

const percent = (part: number, all: number) => `${((100 * part) / Math.max(1, all)).toFixed(2)}%`;

function lines({ name, broken, recorded, compared: { replies, ways, stopped } }: Measured): string[] {
  const all = replies.alike + replies.differ;
  const byReason = [...Map.groupBy(ways, reasonOf)].map(([reason, own]) => ({
    reason,
    own,
    seen: own.reduce((sum, { seen }) => sum + seen, 0),
  }));
  return [
    `${name}: ${replies.alike} of ${all} alike (${percent(replies.alike, all)}); of the recorded run ${percent(recorded.before, 1)} before, ${percent(recorded.after, 1)} after learning`,
    ...broken.map((id) => `  BREAKS ${id}`),
    ...(stopped === null ? [] : [`  ENDED EARLY: ${stopped}`]),
    ...byReason
      .toSorted((a, b) => b.seen - a.seen)
      .flatMap(({ reason, own, seen }) => (reason === null ? own.map(unexplained) : [`  ${seen} × ${reason}`])),
  ];
}

function unexplained({
  difference: { at, recorded, mock },
  seen,
  sequence,
}: Measured['compared']['ways'][number]): string {
  const last = sequence.at(-1);
  return `  ${seen} × UNEXPLAINED ${at}: ${recorded} there, ${mock} in the mock; ${last && stepWords(last.step)}`;
}

let [alike, of] = [0, 0];
for (const written of deployments) {
  const measured = await measure(written, { sequences, steps, seed });
  const { replies, ways } = measured.compared;
  alike += replies.alike;
  of += replies.alike + replies.differ;
  if (measured.broken.length > 0 || ways.some((way) => reasonOf(way) === null)) process.exitCode = 1;
  process.stdout.write(`${lines(measured).join('\n')}\n`);
}
process.stdout.write(`\nIn all ${alike} of ${of} alike (${percent(alike, of)}).\n`);
