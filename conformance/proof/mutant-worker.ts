import { registerHooks } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { Check } from '../check.ts';
import type { DefectResult } from './judge-defect.ts';
import type { MutantJob, Noticed } from './proof-mutation.ts';

/** Runs the defects of some areas against their checks, with one file of checks in another version. */
const { file, source, areas, baseline } = workerData as MutantJob;
const mutated = new URL(`../checks/${file}`, import.meta.url).href;

registerHooks({
  load: (url, context, next) =>
    url === mutated && source !== null
      ? { format: 'module-typescript', source, shortCircuit: true }
      : next(url, context),
});

const { defects } = await import('./defects/index.ts');
const { judgeDefect } = await import('./judge-defect.ts');
const checks: Check[] = [];
for (const area of areas) {
  const module: Record<string, unknown> = await import(`../checks/${area}`);
  // An area file exports its checks under its own name.
  const own = module[area.replace('.ts', '')];
  if (Array.isArray(own)) checks.push(...(own as Check[]));
}
const rules = new Set(checks.map(({ rule }) => rule));
const relevant = defects.filter(({ breaks, survives }) => rules.has(breaks) && !survives);

const results: Pick<DefectResult, 'id' | 'killedBy' | 'inconclusive' | 'collateral'>[] = [];
let noticed: Noticed | null = null;
for (const defect of relevant) {
  const found = await judgeDefect(defect, checks);
  results.push(found);
  const before = baseline?.find(({ id }) => id === defect.id);
  if (before === undefined) continue;
  const lost = before.killedBy.find((id) => !found.killedBy.includes(id));
  if (lost !== undefined) {
    noticed = { kind: 'lost', defect: defect.id, check: lost };
    break;
  }
  const told = before.inconclusive.find((id) => !found.inconclusive.includes(id));
  noticed ??= told === undefined ? null : { kind: 'changed', defect: defect.id, check: told };
}
parentPort?.postMessage({ noticed, results });
