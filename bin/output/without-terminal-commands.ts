const ESC = '\u001b';
/** What we ourselves send to a terminal: a line that is written over, and colours. Only a piece as a whole writes over a line. */
const ours = new RegExp(`(^\\r${ESC}\\[2?K|${ESC}\\[(?:[0-2]|22|3\\d)m|\\r(?=\\n))`);

/** The text without characters that move the cursor, change a title or make a terminal answer, wherever it came from. */
export function withoutTerminalCommands(text: string): string {
  // Quick: nearly all that is printed has none.
  if (!/[^\P{Cc}\n\t]/u.test(text)) return text;
  return text
    .split(ours)
    .map((piece, index) => (index % 2 === 1 ? piece : piece.replace(/[^\P{Cc}\n\t]/gu, '\ufffd')))
    .join('');
}
