import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  assertWritable as assertAllWritable,
  type Format,
  type WantedFile,
  writeAll,
} from '../../conformance/reports/report-files.ts';
import { ConfigurationError, fileProblem } from '../../spec/files/configuration-error.ts';
import { terminalLine } from '../../spec/text/terminal-text.ts';

/** Checks that the files can be written, before anything runs: a wrong path must not cost a verdict. */
export const assertWritable = (files: readonly WantedFile[], more: readonly (string | undefined)[] = []) =>
  assertAllWritable(pathsOf(files, more));

const pathsOf = (files: readonly WantedFile[], more: readonly (string | undefined)[]) => [
  ...files.map(({ path }) => path),
  ...more.filter((path) => path !== undefined),
];

interface Published<T, Name extends string> {
  /** What is printed. */
  readonly text: string;
  readonly files: readonly WantedFile<Name>[];
  readonly formats: Readonly<Record<Name, Format<T>>>;
  /** Further files that the run wrote. */
  readonly more?: readonly (string | undefined)[];
}

/** Prints a report, writes the files that were asked for, and sets the exit code. */
export async function publish<T extends { readonly exitCode: number }, Name extends string>(
  report: T,
  { text, files, formats, more = [] }: Published<T, Name>,
): Promise<void> {
  process.stdout.write(text);
  // After printing: a disk that is full must not cost the verdict.
  await writeAll(report, files, formats);
  sayWritten(pathsOf(files, more));
  process.exitCode = report.exitCode;
}

/** A run ends with the files that it wrote; on stderr, because what is printed may be read by a program. */
export function sayWritten(files: readonly string[]): void {
  if (files.length > 0) process.stderr.write(`Wrote ${terminalLine(files.join(', '))}\n`);
}

/**
 * Writes a new file, in a new folder if need be.
 * @param force overwrites an existing file
 * @throws ConfigurationError if the file exists, or cannot be written
 */
export function writeOnce(file: string, text: string, force = false): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    const isThere = code === 'EEXIST' && syscall === 'open';
    const problem = isThere ? 'exists already; give another name, or --force to overwrite it' : null;
    throw new ConfigurationError([`${file}: ${problem ?? fileProblem(error, 'written')}`]);
  }
}
