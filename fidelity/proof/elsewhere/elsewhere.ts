/**
 * `npm run fidelity:proof -- [SEQUENCES] [STEPS] [SEED] [NAMES]`: learns from one run of each of ten deployments written elsewhere, and of each legal variant
 * of the mock, then measures.
 */
import { stepWords } from '../../compare/steps.ts';
import { type Measured, measure, variants, writtenElsewhere } from './measure.ts';
import { reasonOf } from './reasons.ts';

const [sequences = 1000, steps = 30, seed = 1] = process.argv.slice(2, 5).map(Number);
/** Only deployments whose names this expression matches. */
const names = new RegExp(process.argv[5] ?? '');

const percent = (part: number, all = 1) => `${((100 * part) / Math.max(1, all)).toFixed(2)}%`;

function lines({ name, broken, recorded, compared: { replies, ways, stopped } }: Measured): string[] {
  const all = replies.alike + replies.differ;
  const byReason = [...Map.groupBy(ways, (way) => reasonOf(name, way))];
  const seenIn = (own: typeof ways) => own.reduce((sum, { seen }) => sum + seen, 0);
  return [
    `${name}: ${replies.alike} of ${all} alike (${percent(replies.alike, all)}); of the recorded run ${percent(recorded.before)} before, ${percent(recorded.after)} after learning`,
    ...broken.map((id) => `  BREAKS ${id}`),
    ...(stopped === null ? [] : [`  ENDED EARLY: ${stopped}`]),
    ...byReason
      .sort(([, a], [, b]) => seenIn(b) - seenIn(a))
      .flatMap(([reason, own]) => (reason === null ? own.map(unexplained) : [`  ${seenIn(own)} × ${reason}`])),
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

for (const [what, all] of [
  ['ten deployments written elsewhere', writtenElsewhere],
  ['legal variants of the mock', variants],
] as const) {
  let [alike, of, same] = [0, 0, 0];
  for (const deployment of all.filter(({ name }) => names.test(name))) {
    const measured = await measure(deployment, { sequences, steps, seed });
    const { replies, ways } = measured.compared;
    alike += replies.alike;
    of += replies.alike + replies.differ;
    if (replies.differ === 0) same++;
    if (measured.broken.length > 0 || ways.some((way) => reasonOf(deployment.name, way) === null)) process.exitCode = 1;
    process.stdout.write(`${lines(measured).join('\n')}\n`);
  }
  if (of > 0)
    process.stdout.write(
      `\nOf ${what} ${alike} of ${of} replies alike (${percent(alike, of)}), and all of ${same} of ${all.length}.\n\n`,
    );
}
