import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { fileProblem } from '../../spec/files/file-problem.ts';
import { readTextFile } from '../../spec/files/read-text-file.ts';
import type { History } from './history.ts';
import { parseHistory } from './history-file.ts';

/** Bytes. */
const maxHistory = 512 * 1024 * 1024;

/**
 * Reads a history file.
 * @throws ConfigurationError when the file cannot be read or is not a history
 */
export function readHistory(file: string): History {
  let text: string;
  try {
    text = readTextFile(file, maxHistory);
  } catch (error) {
    throw new ConfigurationError([`${file}: ${fileProblem(error, 'read')}`]);
  }
  return parseHistory(text, file);
}
