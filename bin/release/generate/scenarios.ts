import { readdirSync } from 'node:fs';
import { plannedTraffic } from '../../../load/plan/planned-traffic.ts';
import type { ScenarioPlan } from '../../../load/plan/scenario-plan.ts';

const folder = new URL('../../../load/scenarios/', import.meta.url);
const [begin, end] = ['<!-- The scenarios, by `npm run generate` -->', '<!-- The end of the scenarios -->'];

/** All files of `load/scenarios` except the list are scenarios. Each exports its scenario under the name of the file. */
const names = (): string[] =>
  readdirSync(folder)
    .filter((file) => file !== 'all.ts' && file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => file.replace(/\.ts$/, ''))
    .sort();

/** The text of `load/scenarios/all.ts`. It is generated, because k6 cannot list a folder. */
export function renderScenarioList(): string {
  return `// Generated from the files of this folder by \`npm run generate\`; do not edit.
import type { ScenarioPlan } from '../plan/scenario-plan.ts';
${names()
  .map((name) => `import { ${name} } from './${name}.ts';\n`)
  .join('')}
/** All scenarios. */
export const scenarioPlans: readonly ScenarioPlan[] = [
${names()
  .map((name) => `  ${name},\n`)
  .join('')}];

/** The scenario with this name, if there is one. */
export const scenarioPlan = (name: string): ScenarioPlan | undefined =>
  scenarioPlans.find((plan) => plan.name === name);
`;
}

/** `load/README.md` with its table of scenarios, sorted by the number of requests. */
export function withScenarioTable(text: string, plans: readonly ScenarioPlan[]): string {
  const rows = plans
    .map((plan) => ({ ...plan, traffic: plannedTraffic(plan, [{ perSecond: 10, burst: 20 }]) }))
    .sort((a, b) => a.traffic.requests - b.traffic.requests)
    .map(({ name, summary, traffic: { requests, seconds } }) => [
      `\`${name}\``,
      String(requests),
      `${Math.ceil(seconds)} s`,
      summary,
    ]);
  const cells = [['scenario', 'requests with a key', 'takes', 'what it does and shows'], ...rows];
  const width = (column: number) => Math.max(...cells.map((row) => row[column]?.length ?? 0));
  const line = (row: readonly string[]) => `| ${row.map((cell, column) => cell.padEnd(width(column))).join(' | ')} |`;
  const [head = [], ...body] = cells;
  const table = [line(head), line(head.map((_, column) => '-'.repeat(width(column)))), ...body.map(line)];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  return `${text.slice(0, from + begin.length)}\n${table.join('\n')}\n${text.slice(to)}`;
}
