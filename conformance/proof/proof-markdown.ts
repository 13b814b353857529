import { type ProofMatrix, tallyOf, unprovenChecks } from './proof-matrix.ts';

/** The matrix as a page of Markdown: the counts, then every defect and every variant. */
export function proofMarkdown(matrix: ProofMatrix): string {
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
  ].join('\n')}\n`;
}

const row = (...cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

const some = (ids: readonly string[]) =>
  ids.length <= 2 ? ids.join(', ') : `${ids.slice(0, 2).join(', ')} and ${ids.length - 2} more`;
