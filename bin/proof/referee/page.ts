import { readFileSync, writeFileSync } from 'node:fs';
import { kindOf } from '../../../mock/wrong/kinds.ts';
import { shownIn } from '../../../mock/wrong/shown.ts';
import type { Defect } from '../../../mock/wrong/tampering/defect.ts';
import { operationList } from '../../../spec/operations.ts';
import { createRouter } from '../../../spec/routes.ts';
import { type Results, type Run, readResults } from './results.ts';
import { honestOnes, wrongOnes } from './serve.ts';

const page = new URL('../../../conformance/REFEREE.md', import.meta.url);

/** Writes the tables of REFEREE.md anew from the results of these tools, without those that have not judged the whole sample. */
export function writePage(tools: readonly string[]): void {
  const isWhole = ({ runs }: Results) => [...wrongOnes, ...honestOnes].every(({ id }) => id in runs);
  const all = tools.flatMap((tool) => readResults(tool, 1) ?? []).filter(isWhole);
  const text = readFileSync(page, 'utf8')
    .replace(between('table'), `$1\n${table(all)}\n$2`)
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
function isRight({ id, rule }: Defect, { complaints }: Run): boolean {
  const operation = operationAt(shown[id]?.sees ?? '');
  return complaints.some((complaint) => {
    const [at = '', what = ''] = complaint.split(/: (.*)/s);
    return at === rule || operationAt(at) === operation || (rule.startsWith('limiter/') && what.includes('429'));
  });
}

const median = (figures: readonly number[]) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;

/** Defects of a kind that tools in general know by name. */
const named = wrongOnes.filter(kindOf);
const isFound = (run: Run | undefined) => run !== undefined && run.complaints.length > 0;
const foundOf = (all: readonly Defect[], { runs }: Results) => all.filter(({ id }) => isFound(runs[id]));

/** What each tool did of the sample. */
function table(all: readonly Results[]): string {
  const of = `of the ${named.length} of a named kind`;
  const head = ['tool', 'defects found', 'in the right request', of, 'alarms for right deployments', 'could not judge'];
  const rows = all.map((results) => {
    const { runs, tool, version } = results;
    const found = foundOf(wrongOnes, results);
    const both = Object.values(runs);
    return [
      `${tool} ${version}`,
      `${found.length} of ${wrongOnes.length}`,
      found.filter((one) => isRight(one, runs[one.id] as Run)).length,
      foundOf(named, results).length,
      `${honestOnes.filter(({ id }) => isFound(runs[id])).length} of ${honestOnes.length}`,
      both.filter(({ error }) => error !== undefined).length,
      median(both.map(({ seconds }) => seconds)),
      median(both.map(({ requests }) => requests)),
    ];
  });
  return markdown([...head, 'seconds', 'requests'], rows);
}

const byArea = (all: readonly Results[]) =>
  markdown(
    ['rules of', 'defects', ...all.map(({ tool }) => tool)],
    [...Map.groupBy(wrongOnes, ({ rule }) => rule.split('/')[0] ?? '')].map(([area, defects]) => [
      area,
      defects.length,
      ...all.map((results) => foundOf(defects, results).length),
    ]),
  );

/** What a tool that draws found with each of five seeds, of the deployments that it judged with all of them. */
function bySeeds({ tool }: Results): string {
  const each = [1, 2, 3, 4, 5].map((seed) => readResults(tool, seed)?.runs).filter((runs) => runs !== undefined);
  if (each.length === 1) return '';
  const tried = [...wrongOnes, ...honestOnes].filter(({ id }) => each.every((runs) => runs[id] && !runs[id].error));
  const rows = tried.flatMap((one) => {
    const found = each.filter((runs) => isFound(runs[one.id]));
    const rightly = 'rule' in one ? found.filter((runs) => isRight(one, runs[one.id] as Run)).length : 'it is right';
    return found.length === 0 ? [] : [[one.id, `${found.length} of ${each.length}`, rightly]];
  });
  const others = `the other ${tried.length - rows.length} of ${tried.length} deployments`;
  return markdown(
    [`${tool} complains of`, 'seeds', 'in the right request'],
    [...rows, [others, `0 of ${each.length}`, '']],
  );
}

type Cells = readonly (string | number)[];
const line = (cells: Cells) => `| ${cells.join(' | ')} |`;

const markdown = (head: Cells, rows: readonly Cells[]) =>
  [head, ['---', ...head.slice(1).map(() => '---:')], ...rows].map(line).join('\n');
