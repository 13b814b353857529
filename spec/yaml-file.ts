import { readFileSync } from 'node:fs';
import { type Document, Lexer, parseDocument } from 'yaml';
import { ConfigurationError } from './configuration-error.ts';
import { fileProblem } from './file-problem.ts';

/**
 * The plain value that a YAML or JSON file holds (JSON is YAML).
 * @param file a path, as the person gave it: errors repeat it.
 * @throws ConfigurationError when the file cannot be read, or with line and column of every mistake in its syntax
 */
export function readYamlFile(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigurationError([`${file}: ${fileProblem(error, 'read')}`]);
  }
  const document = parse(text, file);
  if (document.errors.length > 0) {
    const newlines = (end: number) => text.slice(0, end).split('\n');
    throw new ConfigurationError(
      document.errors.map(({ message, pos: [start] }) => {
        const lines = newlines(start);
        return `${file}:${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}: ${message}`;
      }),
    );
  }
  try {
    const value: unknown = document.toJS();
    // An alias within its own anchor makes a value without an end, which nobody can walk through.
    JSON.stringify(value);
    return value;
  } catch (error) {
    if (error instanceof TypeError)
      throw new ConfigurationError([`${file}: an alias (*) stands within its own anchor (&)`]);
    // An alias without its anchor is found only here, and has no position.
    throw new ConfigurationError([`${file}: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

function parse(text: string, file: string): Document {
  if (!nestsTooDeep(text)) {
    const document = parseDocument(text, { prettyErrors: false });
    // Nesting by indentation alone: the parser calls itself for each level.
    if (!document.errors.some(({ message }) => message.includes('call stack'))) return document;
  }
  throw new ConfigurationError([`${file}: is nested too deep; nothing that partnerkit reads is`]);
}

/** Far beyond what people write. A parser that meets megabytes of brackets would take all memory there is. */
const deepest = 200;

function nestsTooDeep(text: string): boolean {
  let flow = 0;
  let itemsOfLine = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') flow++;
    else if (token === ']' || token === '}') flow--;
    else if (token === '-' || token === '?') itemsOfLine++;
    else if (token === '\n' || token === '\r\n') itemsOfLine = 0;
    if (flow > deepest || itemsOfLine > deepest) return true;
  }
  return false;
}
