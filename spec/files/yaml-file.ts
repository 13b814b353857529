import { LineCounter, parseDocument } from 'yaml';
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
  const document = parseDocument(text, { prettyErrors: false, lineCounter: lines });
  // After a syntax error the parser mostly reports consequences of it. Repeated keys are all shown.
  const repeated = document.errors.filter(({ code }) => code === 'DUPLICATE_KEY');
  const [first] = document.errors.filter(({ code }) => code !== 'DUPLICATE_KEY').sort((a, b) => a.pos[0] - b.pos[0]);
  const mistakes = (first === undefined ? repeated : [first]).slice(0, maxMistakes);
  if (mistakes.length > 0)
    throw new ConfigurationError(
      mistakes.map(({ code, message, pos: [start] }) => {
        const { line, col } = lines.linePos(start);
        return `${file}:${line}:${col}: ${remedies[code] ?? (message.includes('call stack') ? tooDeep : `${message}; check the indentation of this line and the next`)}`;
      }),
    );
  try {
    const value: unknown = document.toJS();
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

/** The parser is recursive, so deep nesting exhausts its stack. */
const tooDeep = 'is nested too deep; files for partnerkit are nested a few levels';
