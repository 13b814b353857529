import { fstatSync, writeSync } from 'node:fs';
import type { OutputConfiguration } from '@commander-js/extra-typings';

const isTerminal = () => fstatSync(1).isCharacterDevice();

/**
 * How help, the version and completion scripts are printed, which are texts of our own: at once, because making Node's stream takes a sixth
 * of such a start. Terminals get the stream, and so does what could not be written: nobody reads any more, or there is no room.
 */
export const printing: OutputConfiguration = {
  writeOut(text) {
    const bytes = Buffer.from(text);
    const written = isTerminal() ? 0 : writtenAtOnce(bytes);
    if (written < bytes.length) process.stdout.write(bytes.subarray(written));
  },
  getOutHelpWidth: () => (isTerminal() ? process.stdout.columns : 80),
  getOutHasColors: () => false,
};

/** @returns how many bytes were written before something went wrong */
function writtenAtOnce(bytes: Uint8Array): number {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(1, bytes, written);
  } catch {
    // The stream says what is wrong, when it is given the rest.
  }
  return written;
}
