/** Rows of comma-separated values (RFC 4180): quotes may hold commas and lines. Tabs where the first line has them and no commas. */
export function csvRecords(text: string): string[][] {
  const [firstLine = ''] = text.split('\n', 1);
  const separator = firstLine.includes('\t') && !firstLine.includes(',') ? '\t' : ',';
  const rows: string[][] = [];
  let [row, cell, quoted]: [string[], string, boolean] = [[], '', false];
  const endRow = () => {
    if (row.length > 0 || cell !== '') rows.push([...row, cell]);
    [row, cell] = [[], ''];
  };
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i] ?? '';
    if (quoted && character === '"' && text[i + 1] === '"') {
      cell += '"';
      i += 1;
    } else if (character === '"') quoted = !quoted;
    else if (!quoted && character === separator) {
      row.push(cell);
      cell = '';
    } else if (!quoted && character === '\n') endRow();
    else if (quoted || character !== '\r') cell += character;
  }
  endRow();
  return rows;
}
