import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { defects } from '../../mock/wrong/defects/index.ts';
import { legalVariants } from '../../mock/wrong/habits/index.ts';
import { onThreads } from './jobs/on-threads.ts';
import { fates, type Job, type Result } from './jobs/proof-worker.ts';
import { notSeen } from './not-seen.ts';
import { sealed, strangers } from './strangers/index.ts';
import { named, networkProfiles } from './trials/trial.ts';

/**
 * `npm run proof` shows in virtual time that runs find defects, fail no legal variant, and leave nothing behind. It exits with 1 where a variant
 * alarms, a killed run leaves something, or a defect is missed that `not-seen.ts` does not name. Which law finds which defect is written to
 * `.cache/proof/kill-matrix.md`.
 *   --short                     a sample, the same each time: a sixth of the defects of each rule and of the variants, some killed runs
 *   --part variants             one part: defects, variants, killed-runs
 *   --only auth,labels/a        defects and variants with these prefixes of their ids or rules
 *   --probability 0.33          each request meets the defect with this probability; --repeat 3 runs until it is found
 *   --seeds 5 --from 16         with the seeds from 16 to 20
 *   --networks near,jittery     other networks than the near one; `all` stands for every one
 *   --sealed                    the honest deployments that nobody has tried, in place of the legal variants
 */
const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    sealed: { type: 'boolean', default: false },
    part: { type: 'string' },
    only: { type: 'string', default: '' },
    probability: { type: 'string', default: '1' },
    repeat: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    from: { type: 'string', default: '1' },
    networks: { type: 'string', default: 'near' },
  },
});
const { short, part } = values;
const [probability, repeat, from, seedCount] = [values.probability, values.repeat, values.from, values.seeds].map(
  Number,
) as [number, number, number, number];
const seeds = Array.from({ length: seedCount }, (_, index) => from + index);
const networks =
  values.networks === 'all' ? networkProfiles : values.networks.split(',').map((id) => named(networkProfiles, id));
const beginnings = values.only.split(',');
const isAsked = (...names: readonly string[]) =>
  names.some((name) => beginnings.some((beginning) => name.startsWith(beginning)));
const say = (line: string) => process.stdout.write(`${line}\n`);

/** With `--short` a sixth of some, in an order that is neither that of their file nor of their names. */
const drawn = <T extends { readonly id: string }>(all: readonly T[]): readonly T[] => {
  if (!short) return all;
  const shuffled = all.map((one) => ({ one, at: hash('md5', one.id) })).sort((a, b) => (a.at < b.at ? -1 : 1));
  return shuffled.slice(0, Math.ceil(all.length / 6)).map(({ one }) => one);
};

const areaOf = ({ rule }: { readonly rule: string }) => rule.split('/')[0] ?? '';
const selected = defects.filter(({ id, rule }) => isAsked(id, rule));
const honest = values.sealed ? sealed : [...legalVariants, ...strangers];
const tried = {
  defects: [...Map.groupBy(selected, ({ rule }) => rule).values()].flatMap(drawn),
  variants: drawn(honest.filter(({ id }) => isAsked(id))),
  'killed-runs': Array.from({ length: short ? 10 : 900 }, (_, i) => ({ id: String(short ? 90 * i + 17 : i + 1) })),
};
const wants = (one: Job['part']) =>
  (part === undefined || part === one) && (one !== 'killed-runs' || values.only === '');
const trials = networks.flatMap(({ id: network }) => seeds.map((seed) => ({ network, seed, probability, repeat })));
const jobs = (['defects', 'variants', 'killed-runs'] as const)
  .filter(wants)
  .flatMap((one) =>
    tried[one].flatMap(({ id }) =>
      (one === 'killed-runs' ? trials.slice(0, 1) : trials).map((trial): Job => ({ part: one, id, ...trial })),
    ),
  );

if (jobs.length === 0) {
  process.stderr.write(`nothing is called like ${values.only}; see mock/wrong/defects\n`);
  process.exit(2);
}

const problems: string[] = [];
const unseen = new Set(Object.values(notSeen).flat());

/** What is printed of a result at once. What is wrong with it becomes a problem. */
function noteworthy({ part: of, id, network, seed, fate, said, changed }: Result): readonly string[] {
  const where = of === 'killed-runs' ? `killed at request ${id}` : `${id}, ${network}, seed ${seed}`;
  const broken = of === 'defects' ? ` [${named(defects, id).rule}]` : '';
  const isNamed = unseen.has(id) && fate.startsWith('found') ? ' (not-seen.ts names it)' : '';
  const line = `${fate}: ${where}${broken} ${said.join(' ')}${isNamed}`;
  const left = changed.map((what) => `left changed: ${where}: ${what}`);
  const isMissed = of === 'defects' && !fate.startsWith('found') && !unseen.has(id) && probability === 1;
  if (isMissed || fate === 'a false alarm') problems.push(line);
  // A deployment with a defect may also prevent the repair, so these labels are only reported.
  if (of !== 'defects') problems.push(...left);
  return fate !== fates[of][0] || isNamed !== '' ? [line, ...left] : left;
}

const startedAt = performance.now();
const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(0);
const worker = new URL('jobs/proof-worker.ts', import.meta.url);
const results = await onThreads<Job, Result>(worker, jobs, (result, done) => {
  for (const line of noteworthy(result)) say(`  ${line}`);
  if (done % 100 === 0) say(`${done} of ${jobs.length} done, ${seconds()} s`);
});

const counts = (those: readonly Result[]) =>
  [...Map.groupBy(those, ({ fate }) => fate)].map(([fate, some]) => `${some.length} ${fate}`).join(', ');
for (const [of, those] of Map.groupBy(results, (one) => one.part)) {
  const left = those.filter(({ changed }) => changed.length > 0).length;
  say(`\n${of}: ${those.length} runs, ${counts(those)}${left > 0 ? `, ${left} left something` : ''}`);
}
const runs = results.filter((one) => one.part === 'defects');
for (const [area, those] of Map.groupBy(runs, ({ id }) => areaOf(named(defects, id))))
  say(`  ${area.padEnd(12)} ${counts(those)}`);

if (runs.length > 0) {
  const folder = new URL('../../.cache/proof/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const rows = runs.map((run) => {
    const { rule, does } = named(defects, run.id);
    return `| ${rule} | ${run.id}: ${does.replaceAll('|', '\\|')} | ${run.fate} | ${run.said.join(', ')} |`;
  });
  const head = '# Kill matrix\n\n| rule | a deployment that | is | by |\n|---|---|---|---|\n';
  writeFileSync(new URL('kill-matrix.md', folder), `${head}${rows.sort().join('\n')}\n`);
}
const { user, system } = process.cpuUsage();
say(`${seconds()} s, ${((user + system) / 1e6).toFixed(0)} s of processor time`);
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
