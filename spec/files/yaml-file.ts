import { type Document, LineCounter, parseDocument, type YAMLParseError } from 'yaml';
import { ConfigurationError } from './configuration-error.ts';
import { fileProblem } from './file-problem.ts';
import { readTextFile } from './read-text-file.ts';

/** In bytes, far more than any file for partnerkit needs. A parsed value takes many times the memory of its text. */
const maxBytes = 32 * 1024 * 1024;

/** The first mistakes are enough to see that a file is not YAML at all. */
const maxMistakes = 20;

/**
 * Reads a YAML or JSON file (JSON is YAML) as plain data.
 * @param file the path as the user wrote it, for errors
 * @throws ConfigurationError if the file cannot be read, or with line and column of each syntax error
 */
export function readYamlFile(file: string): unknown {
  let text: string;
  try {
    text = readTextFile(file, maxBytes);
  } catch (error) {
    throw new ConfigurationError([`${file}: ${fileProblem(error, 'read')}`]);
  }
  const lines = new LineCounter();
  const document = parse(text, file, lines);
  if (document.errors.length > 0) {
    const mistakes = independent(document.errors);
    const shown = mistakes.slice(0, maxMistakes).map(({ code, message, pos: [start] }) => {
      const { line, col } = lines.linePos(start);
      return `${file}:${line}:${col}: ${code === 'MULTIPLE_DOCS' ? secondDocument : message}${ofIndentation.has(code) ? '; check the indentation of this line and the next' : ''}`;
    });
    const more = mistakes.length - shown.length;
    throw new ConfigurationError([...shown, ...(more > 0 ? [`${file}: and ${more} more mistakes`] : [])]);
  }
  try {
    const value: unknown = document.toJS();
    // An alias within its own anchor makes a circular value, which this refuses.
    JSON.stringify(value);
    return value;
  } catch (error) {
    if (error instanceof TypeError)
      throw new ConfigurationError([`${file}: an alias (*) stands within its own anchor (&)`]);
    if (error instanceof ReferenceError && error.message.startsWith('Excessive alias count'))
      throw new ConfigurationError([
        `${file}: its aliases (*) stand for more than 100 values, which is refused because a few lines could fill the memory; write values out`,
      ]);
    // An alias without its anchor is found only here. Its name is not shown: it may be a secret that starts with an asterisk.
    if (error instanceof ReferenceError)
      throw new ConfigurationError([
        `${file}: an alias (*) has no anchor (&); put a text that begins with * in quotes`,
      ]);
    throw new ConfigurationError([`${file}: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

/** After a syntax error the parser mostly reports consequences of it, so only the first is shown. Repeated keys are all shown. */
function independent(errors: readonly YAMLParseError[]): readonly YAMLParseError[] {
  const [first] = errors.filter(({ code }) => code !== 'DUPLICATE_KEY').sort((a, b) => a.pos[0] - b.pos[0]);
  return first === undefined ? errors : [first];
}

const secondDocument = 'a second document begins here (---); put each document into a file of its own';

/** Codes of the parser that wrong indentation can cause. */
const ofIndentation: ReadonlySet<string> = new Set([
  'BAD_INDENT',
  'BLOCK_AS_IMPLICIT_KEY',
  'MISSING_CHAR',
  'MULTILINE_IMPLICIT_KEY',
  'TAB_AS_INDENT',
]);

function parse(text: string, file: string, lineCounter: LineCounter): Document {
  const document = parseDocument(text, { prettyErrors: false, lineCounter });
  // The parser is recursive, so deep nesting exhausts its stack.
  if (document.errors.some(({ message }) => message.includes('call stack')))
    throw new ConfigurationError([`${file}: is nested too deep; files for partnerkit are nested a few levels`]);
  return document;
}
