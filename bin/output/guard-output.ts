import { endsAtLineStart, withoutCiCommands } from './without-ci-commands.ts';
import { withoutTerminalCommands } from './without-terminal-commands.ts';

/** The longest word before the bracket of a command that is looked for, `##teamcity[`, and some. */
const kept = 20;

/**
 * The one place through which everything goes that a command prints: what a CI runner or a terminal would take for a command is made plain
 * text, and a reader that has seen enough (`partnerkit rules | head`) ends the printing and nothing else.
 *
 * @param onLost told when something could not be printed for another reason, such as a full disk
 */
export function guardOutput(stream: NodeJS.WriteStream, onLost: (error: Error) => void): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') onLost(error);
  });
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  const decoder = new TextDecoder();
  /** The end of what was written before: a command may come in two pieces. */
  let before = '\n';
  const guarded = (chunk: unknown, ...rest: unknown[]): boolean => {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk as Uint8Array, { stream: true });
    const clean = withoutCiCommands(withoutTerminalCommands(text), endsAtLineStart(before));
    const joined = before + clean;
    const split = withoutCiCommands(joined, false) === joined ? clean : ` ${clean}`;
    if (split !== '') before = joined.slice(-kept);
    return write(split, ...rest);
  };
  stream.write = guarded as typeof stream.write;
}
