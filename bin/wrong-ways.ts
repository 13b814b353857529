import type { Mock } from '../mock/index.ts';
import { habits, type ListedWay, listedWays } from '../mock/wrong/catalogue.ts';
import { curlLines, shownIn } from '../mock/wrong/shown.ts';

/** What `partnerkit mock --wrong list` and `--habit list` print: each way under the rule that it breaks, with what a client sees. */
export async function describeWrongWays({ wrong, json }: { wrong?: string; json?: boolean }): Promise<string> {
  const ways = await listedWays();
  if (json) return `${JSON.stringify(wrong === 'list' ? ways : habits, null, 2)}\n`;
  if (wrong !== 'list') return habits.map(({ id, does }) => `${id}\n    ${does}\n`).join('');
  return [...Map.groupBy(ways, ({ rule }) => rule)]
    .map(([rule, those]) => `${rule}\n${those.map(linesOf).join('')}`)
    .join('\n');
}

const seenIn = (sees: string | null, missed?: string | null) => sees ?? `our own runs miss it: ${missed}`;

/** The words of some ways are those of their ids. */
const linesOf = ({ id, does, sees, missed, kind }: ListedWay) =>
  [
    id,
    ...(id.endsWith(`/${does.replaceAll(' ', '-')}`) ? [] : [`    ${does}`]),
    `    ${seenIn(sees, missed)}`,
    ...(kind === null ? [] : [`    F${kind.code}: ${kind.name}`]),
  ]
    .map((line) => `  ${line}\n`)
    .join('');

/** What the banner of a mock that is wrong on purpose says more: how anybody can see it. */
export async function describeWrong({ wrong }: Pick<Mock, 'wrong'>, url: string): Promise<string> {
  const shown = wrong && (await shownIn())[wrong.id];
  if (!shown) return '';
  const lines = curlLines(shown, url);
  return [
    '',
    seenIn(shown.sees, shown.missed),
    ...(lines.length > 0 ? ['', 'See it:', ...lines.map((line) => `  ${line}`)] : []),
    '',
    '',
  ].join('\n');
}
