import { writeFileSync } from 'node:fs';
import { ConfigurationError } from '../spec/configuration-error.ts';

/**
 * Writes a file for somebody to edit.
 * @param force overwrites one that is there
 * @throws ConfigurationError where there is one, or the folder cannot be written to
 */
export function writeOnce(file: string, text: string, force = false): void {
  try {
    writeFileSync(file, text, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    throw new ConfigurationError([`${file}: ${reason(error)}`]);
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EEXIST')
    return 'is there already; give another name, or --force to overwrite it';
  return `cannot be written: ${error.message}`;
}
