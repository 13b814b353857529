import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { ConfigurationError } from '../spec/files/configuration-error.ts';
import { fileProblem } from '../spec/files/file-problem.ts';
import { writeOnce } from './write-once.ts';

/** Writes the files of a Bruno collection. @throws ConfigurationError if a file exists and must not be overwritten */
export function unpackCollection(archive: Uint8Array, folder: string, force?: boolean): void {
  for (const [path, bytes] of Object.entries(unzipSync(archive))) {
    // The server may not be a mock, so nothing is written outside of the folder.
    if (!/^(?:[\w ]+\/)?\w+\.(?:bru|json)$/.test(path)) {
      throw new ConfigurationError([
        `the collection has a file ${path}, which no mock sends; check the address in --mock`,
      ]);
    }
    const file = join(folder, path);
    try {
      mkdirSync(dirname(file), { recursive: true });
    } catch (error) {
      throw new ConfigurationError([`${dirname(file)}: ${fileProblem(error, 'written')}`]);
    }
    writeOnce(file, strFromU8(bytes), force);
  }
}
