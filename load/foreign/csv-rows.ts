import { ConfigurationError } from '../../spec/files/configuration-error.ts';

/** A row, and the line of the file in which it begins. */
type Row = { readonly cells: readonly string[]; readonly line: number };

/**
 * Rows of delimited values (RFC 4180): quotes may hold delimiters and lines. The delimiter is the one that the first line has most of, or
 * that it names as Excel does (`sep=;`). Empty rows are left out.
 * @throws ConfigurationError for a quote that is not closed, which would swallow all that follows
 */
export function csvRows(text: string, name: string): { readonly rows: readonly Row[]; readonly delimiter: string } {
  const [firstLine = ''] = text.trimStart().split('\n', 1);
  const named = /^sep=(.)\r?$/.exec(firstLine)?.[1];
  const count = (one: string) => firstLine.split(one).length;
  const delimiter = named ?? [',', ';', '\t', '|'].reduce((most, one) => (count(one) > count(most) ? one : most));
  const rows: Row[] = [];
  let [cells, cell, quoted, line, begin]: [string[], string, boolean, number, number] = [[], '', false, 1, 1];
  for (let i = 0; i <= text.length; i += 1) {
    const character = text[i] ?? '\n';
    if (character === '\n') line += 1;
    if (quoted && character === '"' && text[i + 1] === '"') {
      cell += '"';
      i += 1;
    } else if (character === '"' && (quoted || cell === '')) quoted = !quoted;
    else if (!quoted && (character === delimiter || character === '\n')) {
      cells.push(cell);
      cell = '';
      if (character === delimiter) continue;
      if (cells.some((one) => one.trim() !== '')) rows.push({ cells, line: begin });
      [cells, begin] = [[], line];
    } else if (quoted || character !== '\r') cell += character;
  }
  if (quoted) throw new ConfigurationError([`${name}:${begin}: a quote of this row is not closed; close or remove it`]);
  return { rows: named === undefined ? rows : rows.slice(1), delimiter };
}
