import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { ConfigurationError } from '../spec/files/configuration-error.ts';
import { fileProblem } from '../spec/files/file-problem.ts';
import { writeOnce } from './write-once.ts';

/** Writes the files of a Bruno collection. @throws ConfigurationError where one is there already and is not to be overwritten */
export function unpackCollection(archive: Uint8Array, folder: string, force?: boolean): void {
  for (const [path, bytes] of Object.entries(unzipSync(archive))) {
    // Another server than the mock may answer: nothing is written outside the folder.
    if (!/^(?:[\w ]+\/)?\w+\.(?:bru|json)$/.test(path)) {
      throw new ConfigurationError([
        `the collection names a file ${path}, which no collection of a mock has; check --mock`,
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
