import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { strangers } from '../../../conformance/proof/strangers/index.ts';
import type { Honest } from '../../../conformance/proof/trials/trial.ts';
import { defects } from '../../../mock/wrong/defects/index.ts';
import { legalVariants } from '../../../mock/wrong/habits/index.ts';
import type { Defect } from '../../../mock/wrong/tampering/defect.ts';
import { wrongWays } from '../../../mock/wrong/wrong.ts';

/** The ids of the deployments that every tool judges. */
export interface Sample {
  readonly defects: readonly string[];
  readonly habits: readonly string[];
}

const pooled: readonly Defect[] = wrongWays.map(({ id }) => defects.find((one) => one.id === id) as Defect);
/** What no reply over this machine's own ports could show: networks, hosts of a store, and roll-outs, whose failures of some seconds anybody may report. */
const elsewhere = /^(?:networks|stores|rollouts)\//;
/** Honest deployments that are served over HTTP as they are: none whose strangeness is its network, its colleagues or its target file. */
const habits: readonly Honest[] = ([...legalVariants, ...strangers] as readonly Honest[]).filter(
  ({ id, around, network, isShared, chosen, target, product, unjudged }) =>
    around && !network && !isShared && !chosen && !target && !product && !unjudged && !elsewhere.test(id),
);

/**
 * Draws by hash, so that nobody chooses: a defect of each rule in turn until there are enough.
 * @returns what `sample.json` holds, which was committed before the first tool ran
 */
export function drawn(seed: number, counts: { readonly defects: number; readonly habits: number }): Sample {
  const shuffled = <T extends { readonly id: string }>(all: readonly T[]) =>
    all.map((one) => ({ one, at: hash('md5', `${seed} ${one.id}`) })).sort((a, b) => (a.at < b.at ? -1 : 1));
  const strata = [...Map.groupBy(shuffled(pooled), ({ one }) => one.breaks).values()];
  const rounds = Array.from({ length: counts.defects }, (_, round) => strata.flatMap((all) => all[round] ?? []));
  const ids = (all: readonly { readonly one: { readonly id: string } }[], count: number) =>
    all.slice(0, count).map(({ one }) => one.id);
  return { defects: ids(rounds.flat(), counts.defects), habits: ids(shuffled(habits), counts.habits) };
}

export const sampleFile = new URL('sample.json', import.meta.url);
const sample: Sample = JSON.parse(readFileSync(sampleFile, 'utf8'));
/** The deployments of the sample. */
export const wrongOnes: readonly Defect[] = sample.defects.map((id) => pooled.find((one) => one.id === id) as Defect);
export const honestOnes: readonly Honest[] = sample.habits.map((id) => habits.find((one) => one.id === id) as Honest);
