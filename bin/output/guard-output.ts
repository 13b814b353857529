/** More characters than the longest start of a CI command, `##teamcity[`. */
const keptCharacters = 20;

/**
 * Everything that a command prints passes here. Text that a CI runner or a terminal would take for a command becomes plain
 * text. If the reader closes the pipe (`partnerkit rules | head`), printing ends without an error.
 *
 * @param onLost called if text could not be printed for another reason, such as a full disk
 */
export function guardOutput(stream: NodeJS.WriteStream, onLost: (error: Error) => void): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') onLost(error);
  });
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  const decoder = new TextDecoder();
  /** The end of the text before, because a command may be split over two writes. */
  let before = '\n';
  const guarded = (chunk: unknown, ...rest: unknown[]): boolean => {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk as Uint8Array, { stream: true });
    const clean = withoutCiCommands(withoutTerminalCommands(text), endsAtLineStart(before));
    const joined = before + clean;
    const split = withoutCiCommands(joined, false) === joined ? clean : ` ${clean}`;
    if (split !== '') before = joined.slice(-keptCharacters);
    return write(split, ...rest);
  };
  stream.write = guarded as typeof stream.write;
}

/**
 * Makes the commands of CI runners plain text, by one blank more: `##vso[` and `##[` (Azure, and earlier GitHub),
 * `##teamcity[`, and GitHub's `::add-mask::` at the start of a line.
 * @param atLineStart whether the text starts a line
 */
function withoutCiCommands(text: string, atLineStart = true): string {
  const clean = text.replace(/##(?=[\w-]*\[)/g, '# #').replace(inner, '$1: ');
  return atLineStart ? clean.replace(first, '$1: ') : clean;
}

// GitHub's runner is a .NET program: a carriage return ends a line as well, and U+0085 is a blank.
const inner = /([\n\r][\s\x85]*):(?=:)/g;
const first = /^([\s\x85]*):(?=:)/;

/** Whether text after this one starts a line for a CI runner. Blanks at the start of a line do not matter. */
const endsAtLineStart = (text: string): boolean => /(?:^|[\n\r])[\s\x85]*$/.test(text);

const ESC = '\u001b';
/** The control sequences that we send ourselves: colours, and overwriting a line, which only the start of a text may do. */
const ours = new RegExp(`(^\\r${ESC}\\[2?K|${ESC}\\[(?:[0-2]|22|3\\d)m|\\r(?=\\n))`);

/** Replaces characters that move the cursor, change the title or make a terminal answer. */
function withoutTerminalCommands(text: string): string {
  return text
    .split(ours)
    .map((piece, index) => (index % 2 === 1 ? piece : piece.replace(/[^\P{Cc}\n\t]/gu, '\ufffd')))
    .join('');
}
