import { readFileSync } from 'node:fs';
import { strangers } from '../../../conformance/proof/strangers/index.ts';
import type { Honest } from '../../../conformance/proof/trials/trial.ts';
import { defects } from '../../../mock/wrong/defects/index.ts';
import { legalVariants } from '../../../mock/wrong/habits/index.ts';
import type { Defect } from '../../../mock/wrong/tampering/defect.ts';

/** The ids of what every tool judges. They were drawn by hash, a defect of each rule in turn, before the first tool ran. */
const sample: Readonly<Record<'defects' | 'habits', readonly string[]>> = JSON.parse(
  readFileSync(new URL('sample.json', import.meta.url), 'utf8'),
);
const honest: readonly Honest[] = [...legalVariants, ...strangers];
const named = <T extends { readonly id: string }>(ids: readonly string[], all: readonly T[]): readonly T[] =>
  ids.flatMap((id) => all.find((one) => one.id === id) ?? []);

/** The deployments of the sample that are still among our own. */
export const wrongOnes: readonly Defect[] = named(sample.defects, defects);
export const honestOnes: readonly Honest[] = named(sample.habits, honest);
