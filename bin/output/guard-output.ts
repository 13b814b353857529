import { endsAtLineStart, withoutCiCommands } from './without-ci-commands.ts';
import { withoutTerminalCommands } from './without-terminal-commands.ts';

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
