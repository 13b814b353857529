import { type Document, isScalar, Lexer, LineCounter, parseDocument, visit, YAMLParseError } from 'yaml';
import { ConfigurationError } from './configuration-error.ts';
import { fileProblem } from './file-problem.ts';
import { readTextFile } from './read-text-file.ts';

/** In bytes, far beyond any file that is meant for partnerkit. A parsed value takes many times the memory of its text. */
const largest = 32 * 1024 * 1024;

/** The first mistakes are enough to recognise a file that is no YAML at all. */
const maxMistakes = 20;

/**
 * The plain value that a YAML or JSON file holds (JSON is YAML).
 * @param file a path, as the person gave it: errors repeat it.
 * @throws ConfigurationError when the file cannot be read, or with line and column of every mistake in its syntax
 */
export function readYamlFile(file: string): unknown {
  let text: string;
  try {
    text = readTextFile(file, largest);
  } catch (error) {
    throw new ConfigurationError([`${file}: ${fileProblem(error, 'read')}`]);
  }
  const lines = new LineCounter();
  const document = parse(text, file, lines);
  if (document.errors.length > 0) {
    const mistakes = independent(document.errors);
    const shown = mistakes.slice(0, maxMistakes).map(({ code, message, pos: [start] }) => {
      const { line, col } = lines.linePos(start);
      return `${file}:${line}:${col}: ${message}${ofIndentation.has(code) ? '; look at how this line and the next are indented' : ''}`;
    });
    const more = mistakes.length - shown.length;
    throw new ConfigurationError([...shown, ...(more > 0 ? [`${file}: and ${more} more mistakes`] : [])]);
  }
  try {
    const value: unknown = document.toJS();
    // An alias within its own anchor makes a value without an end, which nobody can walk through.
    JSON.stringify(value);
    return value;
  } catch (error) {
    if (error instanceof TypeError)
      throw new ConfigurationError([`${file}: an alias (*) stands within its own anchor (&)`]);
    // An alias without its anchor is found only here. Its name may be a secret that begins with an asterisk.
    if (error instanceof ReferenceError)
      throw new ConfigurationError([
        `${file}: an alias (*) has no anchor (&); put a text that begins with * in quotes`,
      ]);
    throw new ConfigurationError([`${file}: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

/** After a mistake in the syntax the parser mostly repeats the same mistake, so only the first is shown; repeated keys are all shown. */
function independent(errors: readonly YAMLParseError[]): readonly YAMLParseError[] {
  const [first] = errors.filter(({ code }) => code !== 'DUPLICATE_KEY').sort((a, b) => a.pos[0] - b.pos[0]);
  return first === undefined ? errors : [first];
}

/** How the parser names what a blank too many or too few has come to. */
const ofIndentation: ReadonlySet<string> = new Set([
  'BAD_INDENT',
  'BLOCK_AS_IMPLICIT_KEY',
  'MISSING_CHAR',
  'MULTILINE_IMPLICIT_KEY',
  'TAB_AS_INDENT',
]);

function parse(text: string, file: string, lineCounter: LineCounter): Document {
  if (!nestsTooDeep(text)) {
    const document = parseDocument(text, { prettyErrors: false, lineCounter, uniqueKeys: false });
    // Nesting by indentation alone: the parser calls itself for each level.
    if (!document.errors.some(({ message }) => message.includes('call stack'))) {
      document.errors.push(...repeatedKeys(document));
      return document;
    }
  }
  throw new ConfigurationError([`${file}: is nested too deep; files for partnerkit are nested a few levels`]);
}

/** Keys are compared here, because the parser compares every key with every other: minutes for ten thousand keys. */
function repeatedKeys(document: Document): YAMLParseError[] {
  const found: YAMLParseError[] = [];
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const [start = 0, end = 0] = key.range ?? [];
        if (seen.has(key.value))
          found.push(new YAMLParseError([start, end], 'DUPLICATE_KEY', 'Map keys must be unique'));
        seen.add(key.value);
      }
    },
  });
  return found;
}

/** Far beyond what people write. Megabytes of brackets would make the parser exhaust the memory. */
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
