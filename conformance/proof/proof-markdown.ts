import { type MutationRecord, percentOf, scoreOf } from './mutation-record.ts';
import { type ProofMatrix, tallyOf, unprovenChecks } from './proof-matrix.ts';

/** The matrix as a page of Markdown: the counts, then every defect and every variant, and the assertions nobody would miss. */
export function proofMarkdown(matrix: ProofMatrix, mutation: MutationRecord | null): string {
  const { defects, variants, checks, seeds, networks } = matrix;
  const tally = tallyOf(matrix);
  const unproven = unprovenChecks(matrix);
  return `${[
    '# Kill matrix',
    '',
    'Written by `npm run proof`. A defect is killed when a check of the rule that it breaks fails on it; other checks that',
    'fail as well are collateral.',
    '',
    `- ${tally.killed} of ${tally.defects} defects killed; ${tally.survived} of ${tally.invisible} that nobody outside can see survived, as they must`,
    `- ${tally.noticed} of ${tally.deviations} answers to open questions noticed, other than those that we assume`,
    `- ${tally.runs} runs of ${variants.length} legal variants (${seeds} seeds, networks ${networks.join(', ')}): ${tally.falseAlarms} false alarms`,
    `- ${checks.length} checks; of documented rules ${unproven.length} that no defect makes fail${unproven.length > 0 ? `: ${unproven.join(', ')}` : ''}`,
    ...(mutation === null ? [] : mutationLines(mutation)),
    '',
    '## Defects',
    '',
    '| defect | breaks | what it does | fate | killed by | collateral |',
    '|---|---|---|---|---|---|',
    ...defects.map(({ id, breaks, does, fate, survives, killedBy, collateral }) =>
      row(id, breaks, does, survives ? `${fate}, must` : fate, some(killedBy), String(collateral.length)),
    ),
    '',
    '## Legal variants',
    '',
    '| variant | what it does | runs | conformant | false alarms |',
    '|---|---|---|---|---|',
    ...variants.map(({ id, does, runs: count, conformant, falseAlarms }) =>
      row(id, does, String(count), String(conformant), String(falseAlarms.length)),
    ),
    ...(mutation === null ? [] : unmissed(mutation)),
  ].join('\n')}\n`;
}

/** What `mutation.json` comes to. */
export function mutationLines(mutation: MutationRecord): string[] {
  const words = {
    assertion: 'assertions that find fault',
    control: 'controls that keep a check from judging too much',
  };
  return (['assertion', 'control'] as const).map((kind) => {
    const score = scoreOf(mutation, kind);
    return `- without ${score.noticed} of ${score.all} ${words[kind]}, each taken away alone, this proof fails: ${percentOf(score)}% (\`npm run proof:mutation\`)`;
  });
}

const unmissed = ({ mutants }: MutationRecord): string[] => [
  '',
  '## Assertions that the proof does not miss',
  '',
  '| in | kind | assertion |',
  '|---|---|---|',
  ...mutants
    .filter(({ noticed }) => noticed === null)
    .map(({ file, kind, text }) => row(`checks/${file}`, kind, `\`${text.replaceAll('`', "'")}\``)),
];

const row = (...cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

const some = (ids: readonly string[]) =>
  ids.length <= 2 ? ids.join(', ') : `${ids.slice(0, 2).join(', ')} and ${ids.length - 2} more`;
