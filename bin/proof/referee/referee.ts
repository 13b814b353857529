/**
 * `npm run referee` lets tools judge the deployments of `sample.json`, and writes what each found to `results/` and the tables of REFEREE.md. What a file
 * of results has already is not judged again, unless the tool ended with an error.
 *   -- --tools newman,dredd     these tools only, by the beginnings of their names
 *   --seed 2                    another seed for tools that draw, in a file of its own, and every fifth deployment of the sample only
 *   --again                     forgets earlier results of these tools
 *   --check                     judges anew and keeps nothing: exits with 1 if a tool that was judged says something else now
 */
import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import { writePage } from './page.ts';
import { baselineOf, judged, type Results, type Run, readResults, writeResults } from './results.ts';
import { type Deployment, honestOnes, isOfLimiter, wrongOnes } from './serve.ts';
import { tools } from './tools.ts';

const { values } = parseArgs({
  options: {
    tools: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
    again: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
});
const asked = values.tools.toLowerCase().split(',');
const seed = Number(values.seed);
const chosen: Deployment[] = [wrongOnes, honestOnes].flatMap((all) =>
  all.filter((_, index) => seed === 1 || index % 5 === 0),
);

for (const tool of tools.filter(({ name }) => asked.some((beginning) => name.toLowerCase().startsWith(beginning)))) {
  const earlier = readResults(tool.name, seed);
  const results: Results = (!values.again && !values.check && earlier) || {
    tool: tool.name,
    version: tool.version,
    seed,
    baseline: await baselineOf(tool, seed),
    runs: {},
  };
  const isDone = ({ id }: Deployment) => results.runs[id] !== undefined && results.runs[id].error === undefined;
  const left = chosen.filter((one) => !isDone(one));
  // The defects of limiters take their time, and need the machine for themselves.
  left.sort((a, b) => Number(isOfLimiter(a)) - Number(isOfLimiter(b)));
  await pLimit(2).map(left, async (one) => {
    const run = await judged(tool, one, seed, results.baseline);
    results.runs[one.id] = run;
    if (!values.check) writeResults(results);
    const verdict = run.error ?? (run.complaints.length > 0 ? `complains: ${run.complaints[0]}` : 'finds nothing');
    process.stdout.write(`${tool.name}, ${one.id}, ${run.seconds} s: ${verdict}\n`);
  });
  if (!values.check || earlier === undefined) continue;
  const said = ({ complaints = [], error }: Partial<Run> = {}) => error ?? (complaints.join('\n    ') || 'nothing');
  const others = Object.keys(results.runs).filter((id) => said(earlier.runs[id]) !== said(results.runs[id]));
  for (const id of others)
    process.stdout.write(`${id}\n  before:\n    ${said(earlier.runs[id])}\n  now:\n    ${said(results.runs[id])}\n`);
  process.stdout.write(
    `${tool.name} says the same of ${Object.keys(results.runs).length - others.length} of ${Object.keys(results.runs).length}.\n`,
  );
  if (others.length > 0) process.exitCode = 1;
}
if (!values.check) writePage(tools.map(({ name }) => name));
