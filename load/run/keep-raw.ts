import { createWriteStream, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { fileProblem } from '../../spec/files/file-problem.ts';

/**
 * Opens a file for k6's raw output, and gives what writes it there; compressed where its name ends in `.gz`, as
 * `load verdict` reads it. What was in the file is replaced.
 * @throws ConfigurationError when the file cannot be written, before anything is sent
 */
export function keepRaw(file: string): (raw: Readable) => Promise<void> {
  let fd: number;
  try {
    fd = openSync(file, 'w');
  } catch (error) {
    throw new ConfigurationError([`${file}: ${fileProblem(error, 'written')}`]);
  }
  const out = createWriteStream('', { fd });
  return (raw) => (file.endsWith('.gz') ? pipeline(raw, createGzip(), out) : pipeline(raw, out));
}
