import { readFile } from 'node:fs/promises';
import { LineCounter, parseDocument } from 'yaml';
import { ConfigurationError } from '../../spec/configuration-error.ts';

/**
 * The content of a YAML or JSON file (JSON is YAML too, so both get their errors with a line).
 *
 * @param where what to call the file in errors
 * @throws ConfigurationError if it cannot be read, is empty or breaks the syntax, every slip with its line and column
 */
export async function readDocument(path: string, where: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError([`${where}: cannot be read: ${error.message}`]);
  });
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    throw new ConfigurationError(
      document.errors.map(({ code, message, pos: [offset] }) => {
        const { line, col } = lines.linePos(offset);
        const reason = code === 'MULTIPLE_DOCS' ? 'a second document starts here; write one tenant per file' : message;
        return `${where}: line ${line}, column ${col}: ${reason}`;
      }),
    );
  }
  if (document.contents === null) throw new ConfigurationError([`${where}: the file is empty`]);
  try {
    return document.toJS();
  } catch (error) {
    // An alias without its anchor, or more aliases than any fixture needs.
    throw new ConfigurationError([`${where}: ${error instanceof Error ? error.message : error}`]);
  }
}
