import { writeFileSync } from 'node:fs';
import { ConfigurationError, fileProblem } from '../spec/files/configuration-error.ts';

/**
 * Writes a new file.
 * @param force overwrites an existing file
 * @throws ConfigurationError if the file exists, or the folder cannot be written to
 */
export function writeOnce(file: string, text: string, force = false): void {
  try {
    writeFileSync(file, text, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    const problem = isThere ? 'exists already; give another name, or --force to overwrite it' : null;
    throw new ConfigurationError([`${file}: ${problem ?? fileProblem(error, 'written')}`]);
  }
}
