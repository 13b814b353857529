import { existsSync, readFileSync } from 'node:fs';
import type { Mutant } from './mutants.ts';
import type { Witness } from './mutation-job.ts';

/** What became of one assertion that was taken away; null where nothing noticed. */
export interface JudgedMutant extends Omit<Mutant, 'line'> {
  readonly noticed: Witness | null;
}

/** Written to `mutation.json`: the mutants in the order of their files. */
export interface MutationRecord {
  readonly mutants: readonly JudgedMutant[];
}

const file = new URL('mutation.json', import.meta.url);

/** What was measured the last time; null where nothing was. */
export const readMutationRecord = (): MutationRecord | null =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as MutationRecord) : null;

/** Whether it is the same assertion, wherever in its file it stands now. */
export const isSame = (a: Omit<Mutant, 'line'>, b: Omit<Mutant, 'line'>) =>
  a.file === b.file && a.text === b.text && a.nth === b.nth;

export interface Score {
  readonly all: number;
  readonly noticed: number;
}

export function scoreOf({ mutants }: MutationRecord, kind: Mutant['kind']): Score {
  const all = mutants.filter((mutant) => mutant.kind === kind);
  return { all: all.length, noticed: all.filter(({ noticed }) => noticed !== null).length };
}

/** In percent, to one digit after the point. */
export const percentOf = ({ noticed, all }: Score) => (all === 0 ? 100 : Math.round((1000 * noticed) / all) / 10);

/** `assertions: 165 of 169 noticed, 97.6%` */
export const scoreLine = (record: MutationRecord, kind: Mutant['kind']) => {
  const score = scoreOf(record, kind);
  return `${kind}s: ${score.noticed} of ${score.all} noticed, ${percentOf(score)}%`;
};
