/** A defect with the laws that find it. */
export interface MatrixRow {
  readonly id: string;
  readonly breaks: string;
  readonly does: string;
  /** Not visible from outside. Its survival shows that the matrix can report a survivor. */
  readonly survives: boolean;
  readonly killedBy: readonly string[];
  readonly others: readonly string[];
}

/** The kill matrix as a page, by rule. */
export function killMatrixPage(rows: readonly MatrixRow[]): string {
  const byRule = [...Map.groupBy(rows, ({ breaks }) => breaks)];
  const sections = byRule.map(([rule, those]) => {
    const lines = those.map(
      ({ does, killedBy, others, survives }) =>
        `| ${cell(does)} | ${survives ? 'nobody can see it' : killedBy.join(', ') || '**survives**'} | ${others.join(', ')} |`,
    );
    return `## ${rule}\n\n| a deployment that | is found by | also broken |\n|---|---|---|\n${lines.join('\n')}\n`;
  });
  return `# Kill matrix\n\nWritten by \`npm run proof\`. Each defect is planted into an otherwise correct mock; a law of the rule that it breaks has to find it.\n\n${sections.join('\n')}`;
}

const cell = (text: string) => text.replaceAll('|', '\\|');
