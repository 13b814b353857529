import { readFileSync, writeFileSync } from 'node:fs';
import { type Results, readResults } from './results.ts';
import { honestOnes, wrongOnes } from './sample.ts';

const page = new URL('../../../conformance/REFEREE.md', import.meta.url);

/** Writes the tables of REFEREE.md anew from the results of these tools. */
export function writePage(tools: readonly string[]): void {
  const all = tools.flatMap((tool) => readResults(tool, 1) ?? []);
  const text = readFileSync(page, 'utf8')
    .replace(between('table'), `$1\n${table(all)}\n$2`)
    .replace(between('tools'), `$1\n${setUp(all)}\n$2`)
    .replace(between('rules'), `$1\n${byArea(all)}\n$2`);
  writeFileSync(page, text);
}

const between = (name: string) => new RegExp(`(<!-- ${name} -->)[\\s\\S]*?(<!-- /${name} -->)`);

const median = (figures: readonly number[]) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;

/** What a tool did of the sample. */
function score({ runs, tool, version }: Results) {
  const ran = (ids: readonly { readonly id: string }[]) => ids.flatMap(({ id }) => runs[id] ?? []);
  const [wrong, right] = [ran(wrongOnes), ran(honestOnes)];
  const found = wrong.filter(({ complaints }) => complaints.length > 0);
  return {
    tool: `${tool} ${version}`,
    found: `${found.length} of ${wrong.length}`,
    rightly: String(found.filter(({ rightly }) => rightly).length),
    alarms: `${right.filter(({ complaints }) => complaints.length > 0).length} of ${right.length}`,
    unable: String([...wrong, ...right].filter(({ error }) => error !== undefined).length),
    seconds: String(median([...wrong, ...right].map(({ seconds }) => seconds))),
    requests: String(median([...wrong, ...right].map(({ requests }) => requests))),
  };
}

function table(all: readonly Results[]): string {
  const rows = all.map(score);
  const cells = rows.map(
    (row) =>
      `| ${row.tool} | ${row.found} | ${row.rightly} | ${row.alarms} | ${row.unable} | ${row.seconds} | ${row.requests} |`,
  );
  return `| tool | defects found | in the right request | alarms for right deployments | could not judge | seconds | requests |\n|---|---:|---:|---:|---:|---:|---:|\n${cells.join('\n')}`;
}

const setUp = (all: readonly Results[]) =>
  `| tool | how it was set up | what it cannot see by design |\n|---|---|---|\n${all.map(({ tool, how, blind }) => `| ${tool} | ${how} | ${blind} |`).join('\n')}`;

function byArea(all: readonly Results[]): string {
  const areas = [...Map.groupBy(wrongOnes, ({ breaks }) => breaks.split('/')[0] ?? '')];
  const head = `| rules of | defects | ${all.map(({ tool }) => tool).join(' | ')} |\n|---|---:|${'---:|'.repeat(all.length)}\n`;
  const rows = areas.map(([area, defects]) => {
    const found = all.map(({ runs }) => defects.filter(({ id }) => (runs[id]?.complaints.length ?? 0) > 0).length);
    return `| ${area} | ${defects.length} | ${found.join(' | ')} |`;
  });
  return head + rows.join('\n');
}
