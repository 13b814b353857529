import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { ruleById } from '../../spec/rules.ts';
import { defects } from './defects/index.ts';
import { harmlessEdits, harmlessEditsPage } from './jobs/harmless-edits.ts';
import { killMatrixPage, type MatrixRow } from './jobs/kill-matrix-page.ts';
import { onThreads } from './jobs/on-threads.ts';
import type { DefectRun, EditRun, Job, KilledRun, Result, VariantRun } from './jobs/parts.ts';
import { legalVariants } from './legal-variants/index.ts';
import { named } from './trials/named.ts';
import { networkProfiles } from './trials/network-profiles.ts';

/**
 * `npm run proof` shows in virtual time that laws find defects, raise no false alarm, and that runs leave nothing behind. Five parts: edits of
 * a good history, defects, intermittent defects, legal variants over seeds and networks, killed runs. Writes
 * kill-matrix.json and .md beside this file, except with `--short`, which tries only a sample. Exits with 1 if anything is wrong.
 *   --part variants         one part: edits, defects, intermittent, variants, killed-runs
 *   --only auth,labels/a    defects and variants with these prefixes; the kill matrix keeps its other entries
 *   --every 10 --seeds 2    every tenth of them, with two seeds
 *   --seeds 5 --from 16     the seeds from 16 to 20, so that a long proof can be done in parts
 */
const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    part: { type: 'string' },
    threads: { type: 'string' },
    only: { type: 'string' },
    every: { type: 'string' },
    seeds: { type: 'string' },
    from: { type: 'string' },
  },
});
const { short, part } = values;
const threads = Number(values.threads ?? Math.max(1, availableParallelism()));
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const seedsOf = (usual: number) =>
  numbers(Number(values.seeds ?? (short ? 1 : usual))).map((seed) => seed + Number(values.from ?? 1) - 1);
const beginnings = values.only?.split(',') ?? [''];
const every = Number(values.every ?? 1);
/** The items that the options select. */
const asked = <T extends { readonly id: string }>(all: readonly T[]) =>
  all.filter(({ id }) => beginnings.some((one) => id.startsWith(one))).filter((_, index) => index % every === 0);
const file = (name: string) => new URL(name, import.meta.url);
const say = (line: string) => process.stdout.write(`${line}\n`);

const jobs: Job[] = [];
const wants = (one: Job['part'] | 'intermittent') => part === undefined || part === one;
const ids = asked(defects).map(({ id }) => id);
const chunks = (all: readonly string[], size: number) =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size));
// What other laws find is for the kill matrix, and for comparing with intermittent defects.
const ownLaws = short && !wants('intermittent');
if (wants('defects'))
  for (const those of chunks(ids, 5)) jobs.push({ part: 'defects', ids: those, probability: 1, seeds: [1], ownLaws });
if (wants('intermittent')) {
  for (const probability of [1 / 3, 1 / 10])
    for (const those of chunks(short ? ids.filter((_, index) => index % 9 === 0) : ids, 2))
      jobs.push({ part: 'defects', ids: those, probability, seeds: seedsOf(5), ownLaws });
}
if (wants('variants')) {
  for (const { id } of asked(legalVariants))
    for (const network of short ? networkProfiles.filter(({ id: name }) => name === 'near') : networkProfiles)
      jobs.push({ part: 'variants', id, network: network.id, seeds: seedsOf(20) });
}
if (wants('edits')) {
  const share = short ? 1 / 20 : 1;
  const pieces = 10;
  for (let i = 0; i < pieces; i++)
    jobs.push({ part: 'edits', seed: 1, share: [(i / pieces) * share, ((i + 1) / pieces) * share] });
}
if (wants('killed-runs')) {
  const all = short ? numbers(900).filter((at) => at % 60 === 0) : numbers(900);
  for (let i = 0; i < all.length; i += 15) jobs.push({ part: 'killed-runs', at: all.slice(i, i + 15) });
}

const isMust = (id: string) => {
  const rule = ruleById(named(defects, id).breaks);
  return rule.provenance === 'documented' && rule.level === 'must';
};
/** Defects that nobody can see. */
const invisible = new Set(defects.filter(({ survives }) => survives).map(({ id }) => id));

/** A line about a bad result, printed at once; null for a good one. */
function noteworthy(one: Result): string[] {
  if (one.part === 'defects')
    return isMust(one.id) &&
      !invisible.has(one.id) &&
      one.met &&
      one.verdict !== 'non-conformant' &&
      one.probability < 1
      ? [`${one.verdict}: ${one.id} at ${one.probability.toFixed(2)}, seed ${one.seed}, reached ${one.reached} times`]
      : [];
  if (one.part === 'variants')
    return one.falseAlarms.map((alarm) => `false alarm: ${one.id}, ${one.network}: ${alarm}`);
  return one.part === 'killed-runs' && one.changed.length > 0 ? [`left behind at request ${one.at}`] : [];
}

const startedAt = performance.now();
const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(0);
const results = (
  await onThreads<Job, Result[]>(new URL('jobs/proof-worker.ts', import.meta.url), jobs, threads, (found, done) => {
    for (const line of found.flatMap(noteworthy)) say(`  ${line}`);
    if (done % 20 === 0 || done === jobs.length) say(`${done} of ${jobs.length} pieces done, ${seconds()} s`);
  })
).flat();
const problems: string[] = [];

const runs = results.filter((one): one is DefectRun => one.part === 'defects');
const always = runs.filter(({ probability }) => probability === 1);
if (always.length > 0) {
  const visible = always.filter(({ id }) => !invisible.has(id));
  const killed = visible.filter(({ killedBy }) => killedBy.length > 0);
  for (const { id, reached } of visible.filter(({ killedBy }) => killedBy.length === 0))
    problems.push(`survived: ${id}${reached === 0 ? ' (never reached)' : ''}`);
  for (const { id, killedBy } of always.filter(({ id }) => invisible.has(id)))
    if (killedBy.length > 0) problems.push(`found, although nobody can see it: ${id}`);
  for (const { id } of killed.filter(({ id, verdict }) => isMust(id) && verdict === 'conformant'))
    problems.push(`called conformant: ${id}`);
  say(
    `defects: ${killed.length} of ${visible.length} killed by a law of the rule that they break; ${invisible.size} that nobody can see`,
  );
}
for (const probability of [...new Set(runs.map((run) => run.probability))].filter((one) => one < 1)) {
  const wrong = new Set(
    always.filter(({ killedBy, verdict }) => killedBy.length > 0 && verdict === 'non-conformant').map(({ id }) => id),
  );
  const those = runs.filter(
    (run) =>
      run.probability === probability &&
      run.reached > 0 &&
      !invisible.has(run.id) &&
      (always.length === 0 ? isMust(run.id) : wrong.has(run.id)),
  );
  const met = those.filter((run) => run.met);
  const count = (verdict: DefectRun['verdict']) => met.filter((run) => run.verdict === verdict).length;
  const share = (100 * count('non-conformant')) / Math.max(1, met.length);
  say(
    `one time in ${Math.round(1 / probability)}: ${met.length} runs that met the defect: ${share.toFixed(1)} % non-conformant, ${count('incomplete')} incomplete, ${count('conformant')} conformant`,
  );
  if (those.length > met.length)
    say(`  ${those.length - met.length} more runs are not counted: the contract allows each of their replies`);
  for (const { id, seed } of met.filter(({ verdict }) => verdict === 'conformant'))
    problems.push(`called conformant: ${id} at ${probability.toFixed(2)}, seed ${seed}`);
}
// A deployment with a defect may also prevent the repair, so these labels are only reported.
const unmended = runs.filter((run) => run.changed.length > 0);
if (runs.length > 0)
  say(`labels that could not be put back: in ${unmended.length} of ${runs.length} runs against defects`);
for (const { id, probability, seed, changed } of short ? [] : unmended)
  say(`  ${id} at ${probability.toFixed(2)}, seed ${seed}: ${changed.join('; ')}`);

const variants = results.filter((one): one is VariantRun => one.part === 'variants');
if (variants.length > 0) {
  const alarms = variants.filter(({ falseAlarms }) => falseAlarms.length > 0);
  say(
    `legal variants: ${new Set(variants.map(({ id }) => id)).size} in ${variants.length} runs, ${alarms.length} with a false alarm`,
  );
  for (const { id, network, seed, falseAlarms, unjudged, changed } of variants) {
    for (const alarm of falseAlarms) problems.push(`false alarm: ${id}, ${network}, seed ${seed}: ${alarm}`);
    for (const one of unjudged) problems.push(`not judged: ${id}, ${network}, seed ${seed}: ${one}`);
    if (changed.length > 0) problems.push(`left changed: ${id}, ${network}, seed ${seed}: ${changed.join('; ')}`);
  }
}

const edits = results.filter((one): one is EditRun => one.part === 'edits');
if (edits.length > 0) {
  const survivors = edits.filter(({ brokenLaws }) => brokenLaws.length === 0);
  say(`edits of a good history: ${edits.length - survivors.length} of ${edits.length} break a law`);
  const reasonOf = ({ what }: EditRun) => harmlessEdits.find(([edit]) => edit.test(what))?.[1];
  for (const one of survivors) if (reasonOf(one) === undefined) problems.push(`survived: ${one.what}`);
  const known = Map.groupBy(survivors, (one) => reasonOf(one) ?? 'no reason is known');
  const byReason = [...known].sort(([, a], [, b]) => b.length - a.length);
  for (const [reason, { length }] of byReason) say(`  ${length} harmless: ${reason}`);
  const page = new Map(byReason.map(([reason, those]) => [reason, those.map(({ what }) => what)]));
  if (!short) writeFileSync(file('edits.md'), harmlessEditsPage(edits.length - survivors.length, page));
}

const killedRuns = results.filter((one): one is KilledRun => one.part === 'killed-runs');
if (killedRuns.length > 0) {
  const changed = killedRuns.filter((run) => run.changed.length > 0);
  say(`killed runs, cleaned up: ${killedRuns.length}, of which ${changed.length} left something behind`);
  for (const { at, changed: what } of changed)
    problems.push(`left behind: killed at request ${at}: ${what.join(', ')}`);
}

if (!short && always.length > 0) {
  const before: readonly MatrixRow[] = JSON.parse(readFileSync(file('kill-matrix.json'), 'utf8')).defects;
  const rows = defects.map(({ id, breaks, does, survives = false }) => {
    const { killedBy = [], others = [] } =
      always.find((run) => run.id === id) ?? before.find((row) => row.id === id) ?? {};
    return { id, breaks, does, survives, killedBy, others };
  });
  writeFileSync(file('kill-matrix.json'), `${JSON.stringify({ defects: rows }, null, 1)}\n`);
  writeFileSync(file('kill-matrix.md'), killMatrixPage(rows));
}
say(`${seconds()} s on ${threads} threads`);
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
