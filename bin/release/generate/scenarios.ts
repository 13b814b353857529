import { plannedTraffic } from '../../../load/plan/planned-traffic.ts';
import type { ScenarioPlan } from '../../../load/plan/scenario-plan.ts';

const [begin, end] = ['<!-- The scenarios, by `npm run generate` -->', '<!-- The end of the scenarios -->'];

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
