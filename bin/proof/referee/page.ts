import { readFileSync, writeFileSync } from 'node:fs';
import { kindOf } from '../../../mock/wrong/kinds.ts';
import { shownIn } from '../../../mock/wrong/shown.ts';
import type { Defect } from '../../../mock/wrong/tampering/defect.ts';
import { operationList } from '../../../spec/operations.ts';
import { createRouter } from '../../../spec/routes.ts';
import { type Results, type Run, readResults } from './results.ts';
import { honestOnes, wrongOnes } from './sample.ts';

const page = new URL('../../../conformance/REFEREE.md', import.meta.url);

/** Writes the tables of REFEREE.md anew from the results of these tools, without those that have not judged the whole sample. */
export function writePage(tools: readonly string[]): void {
  const isWhole = ({ runs }: Results) => [...wrongOnes, ...honestOnes].every(({ id }) => id in runs);
  const all = tools.flatMap((tool) => readResults(tool, 1) ?? []).filter(isWhole);
  const text = readFileSync(page, 'utf8')
    .replace(between('table'), `$1\n${table(all)}\n$2`)
    .replace(between('tools'), `$1\n${setUp(all)}\n$2`)
    .replace(between('rules'), `$1\n${byArea(all)}\n$2`)
    .replace(between('seeds'), `$1\n${all.map(bySeeds).join('')}\n$2`);
  writeFileSync(page, text);
}

const between = (name: string) => new RegExp(`(<!-- ${name} -->)[\\s\\S]*?(<!-- /${name} -->)`);

const { match } = createRouter(operationList);
/** The operation of `PUT /v1/site/1/label/2?x#y`, whether the path has ids, templates or colons. */
function operationAt(request: string): string | undefined {
  const [method = '', url = ''] = request.split(' ');
  const route = match(method, url.split('?')[0]?.replaceAll(/[{}:]/g, '') ?? '');
  return route.kind === 'found' ? route.id : undefined;
}

const shown = await shownIn();

/** Whether a complaint names the rule that is broken, the request in which it shows, or for a limiter the status that is about it. */
function isRight({ id, breaks }: Defect, { complaints }: Run): boolean {
  const operation = operationAt(shown[id]?.sees ?? '');
  return complaints.some((complaint) => {
    const [at = '', what = ''] = complaint.split(/: (.*)/s);
    return at === breaks || operationAt(at) === operation || (breaks.startsWith('limiter/') && what.includes('429'));
  });
}

const median = (figures: readonly number[]) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;

/** Defects of a kind that tools in general know by name. */
const named = wrongOnes.filter(({ id, breaks }) => kindOf({ id, rule: breaks }));
const isFound = (run: Run | undefined) => run !== undefined && run.complaints.length > 0;

/** What a tool did of the sample. */
function score({ runs, tool, version }: Results) {
  const wrong = wrongOnes.flatMap((one) => (runs[one.id] ? { one, run: runs[one.id] as Run } : []));
  const found = wrong.filter(({ run }) => isFound(run));
  const right = honestOnes.flatMap(({ id }) => runs[id] ?? []);
  const both = [...wrong.map(({ run }) => run), ...right];
  return {
    tool: `${tool} ${version}`,
    found: `${found.length} of ${wrong.length}`,
    rightly: String(found.filter(({ one, run }) => isRight(one, run)).length),
    named: String(named.filter(({ id }) => isFound(runs[id])).length),
    alarms: `${right.filter(isFound).length} of ${right.length}`,
    unable: String(both.filter(({ error }) => error !== undefined).length),
    seconds: String(median(both.map(({ seconds }) => seconds))),
    requests: String(median(both.map(({ requests }) => requests))),
  };
}

function table(all: readonly Results[]): string {
  const rows = all.map(score);
  const cells = rows.map(
    (row) =>
      `| ${row.tool} | ${row.found} | ${row.rightly} | ${row.named} | ${row.alarms} | ${row.unable} | ${row.seconds} | ${row.requests} |`,
  );
  return `| tool | defects found | in the right request | of the ${named.length} of a named kind | alarms for right deployments | could not judge | seconds | requests |\n|---|---:|---:|---:|---:|---:|---:|---:|\n${cells.join('\n')}`;
}

const setUp = (all: readonly Results[]) =>
  `| tool | how it was set up | what it cannot see by design |\n|---|---|---|\n${all.map(({ tool, how, blind }) => `| ${tool} | ${how} | ${blind} |`).join('\n')}`;

function byArea(all: readonly Results[]): string {
  const areas = [...Map.groupBy(wrongOnes, ({ breaks }) => breaks.split('/')[0] ?? '')];
  const head = `| rules of | defects | ${all.map(({ tool }) => tool).join(' | ')} |\n|---|---:|${'---:|'.repeat(all.length)}\n`;
  const rows = areas.map(([area, defects]) => {
    const found = all.map(({ runs }) => defects.filter(({ id }) => isFound(runs[id])).length);
    return `| ${area} | ${defects.length} | ${found.join(' | ')} |`;
  });
  return head + rows.join('\n');
}

/** What a tool that draws found with each of five seeds, of the deployments that it judged with all of them. */
function bySeeds({ tool }: Results): string {
  const each = [1, 2, 3, 4, 5].map((seed) => readResults(tool, seed)?.runs).filter((runs) => runs !== undefined);
  if (each.length === 1) return '';
  const tried = [...wrongOnes, ...honestOnes].filter(({ id }) => each.every((runs) => runs[id] && !runs[id].error));
  const rows = tried.flatMap((one) => {
    const found = each.filter((runs) => isFound(runs[one.id]));
    const rightly = 'breaks' in one ? found.filter((runs) => isRight(one, runs[one.id] as Run)).length : 'it is right';
    return found.length === 0 ? [] : [`| ${one.id} | ${found.length} of ${each.length} | ${rightly} |`];
  });
  const none = tried.length - rows.length;
  return `| ${tool} complains of | seeds | in the right request |\n|---|---:|---:|\n${rows.join('\n')}\n| the other ${none} of ${tried.length} deployments | 0 of ${each.length} | |`;
}
