const ESC = '\u001b';
/** The control sequences that we send ourselves: colours, and overwriting a line, which only the start of a text may do. */
const ours = new RegExp(`(^\\r${ESC}\\[2?K|${ESC}\\[(?:[0-2]|22|3\\d)m|\\r(?=\\n))`);

/** Replaces characters that move the cursor, change the title or make a terminal answer. */
export function withoutTerminalCommands(text: string): string {
  // A fast path: nearly all text has none.
  if (!/[^\P{Cc}\n\t]/u.test(text)) return text;
  return text
    .split(ours)
    .map((piece, index) => (index % 2 === 1 ? piece : piece.replace(/[^\P{Cc}\n\t]/gu, '\ufffd')))
    .join('');
}
