import { terminalLine } from '../../spec/text/terminal-text.ts';

/** A run ends with the files that it wrote; on stderr, because what is printed may be read by a program. */
export function sayWritten(files: readonly string[]): void {
  if (files.length > 0) process.stderr.write(`Wrote ${terminalLine(files.join(', '))}\n`);
}
