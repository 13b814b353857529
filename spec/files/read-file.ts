import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { Composer, type CST, Lexer, LineCounter, Parser, YAMLParseError } from 'yaml';
import type { z } from 'zod';
import { jsonExtent } from '../json-extent.ts';
import { jsonOrUndefined } from '../text/json-or-undefined.ts';
import { ConfigurationError, fileProblem } from './configuration-error.ts';
import { problemLine, tried } from './shape-problems.ts';

/** Bytes of a file that a person writes, far more than any needs. A parsed value takes many times the memory of its text. */
const largest = 32 * 1024 * 1024;

/** Bytes of a file that a program wrote. The report of a complete run needs a hundredth of this. */
const largestWritten = 256 * 1024 * 1024;

/**
 * Reads a text file in UTF-8, without its byte order mark.
 * @param more what to give instead, for the error
 * @throws ConfigurationError if the file cannot be read, is larger, or is in another encoding
 */
export function readTextFile(file: string, maxBytes = largestWritten, more = ''): string {
  const refused = (why: string) => new ConfigurationError([`${file}: ${why}${more}`]);
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw refused(fileProblem(error, 'read'));
  }
  if (bytes.length > maxBytes) throw refused(`cannot be read: is larger than ${Math.round(maxBytes / (1 << 20))} MB`);
  // UTF-16 without a mark is UTF-8 with zeros.
  if (!isUtf8(bytes) || bytes.includes(0))
    throw refused(
      'cannot be read: it is in another encoding, such as UTF-16 or Windows-1252, or no text; save it as UTF-8',
    );
  return new TextDecoder().decode(bytes);
}

/**
 * Reads a YAML or JSON file (JSON is YAML) as plain data.
 * @param file the path as the user wrote it, for errors
 * @throws ConfigurationError if the file cannot be read, or with line and column of each syntax error
 */
export function readYamlFile(file: string): unknown {
  const text = readTextFile(file, largest);
  const lines = new LineCounter();
  const [document, second] = new Composer().compose(tokens(text, lines), true, text.length);
  const errors = document?.errors ?? [];
  if (second !== undefined) errors.push(new YAMLParseError([second.range[0], second.range[1]], 'MULTIPLE_DOCS', ''));
  // After a syntax error the parser mostly reports consequences of it. Repeated keys are all shown.
  const repeated = errors.filter(({ code }) => code === 'DUPLICATE_KEY');
  const [first] = errors.filter(({ code }) => code !== 'DUPLICATE_KEY').sort((a, b) => a.pos[0] - b.pos[0]);
  // The first mistakes are enough to see that a file is not YAML at all.
  const mistakes = (first === undefined ? repeated : [first]).slice(0, 20);
  if (mistakes.length > 0)
    throw new ConfigurationError(
      mistakes.map(({ code, message, pos: [start] }) => {
        const { line, col } = lines.linePos(start);
        return `${file}:${line}:${col}: ${remedies[code] ?? (message === tooDeep ? message : `${message}; check the indentation of this line and the next`)}`;
      }),
    );
  try {
    const value: unknown = document?.toJS();
    // An alias within its own anchor makes a circular value, which this refuses.
    JSON.stringify(value);
    return value;
  } catch {
    // The name of an alias is not shown: it may be a secret that begins with an asterisk.
    throw new ConfigurationError([
      `${file}: an alias (*) has no anchor (&), stands within its own, or aliases stand for more than 100 values; put a text that begins with * in quotes, and write other values out`,
    ]);
  }
}

const remedies: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'Map keys must be unique',
  MULTIPLE_DOCS: 'a second document begins here (---); put each document into a file of its own',
};

const maxDepth = 100;
const tooDeep = `is nested more than ${maxDepth} deep; close what is open here, or write it flat: files for partnerkit are nested a few levels`;

/** The tokens of a text, up to where it is nested too deep. The parser takes a kilobyte for each level, and the composer is recursive. */
function* tokens(text: string, lines: LineCounter): Generator<CST.Token> {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    // The first level is the document itself.
    if (parser.stack.length > maxDepth + 1)
      return yield { type: 'error', offset: parser.offset, source: '', message: tooDeep };
  }
  yield* parser.end();
}

/**
 * Reads a JSON report that an earlier run has written.
 * @throws ConfigurationError if the file cannot be read or is not a report
 */
export function readJsonReport<S extends z.ZodType>(file: string, schema: S): z.output<S> {
  const more = '; give a report of --report json=FILE';
  const text = readTextFile(file, largestWritten, more);
  // What reads a report goes through its values by recursion.
  if (jsonExtent(Buffer.from(text), maxDepth).depth > maxDepth)
    throw new ConfigurationError([`${file}: is nested more than ${maxDepth} deep${more}`]);
  const value = jsonOrUndefined(text);
  if (value === undefined) throw new ConfigurationError([`${file}: is not JSON${more}`]);
  const { data, problems } = tried(schema, value);
  const [first] = problems;
  if (first === undefined) return data as z.output<S>;
  throw new ConfigurationError([
    `${problemLine(file, first)}; this is not a JSON report of this version of partnerkit`,
  ]);
}
