import type { z } from 'zod';
import { ConfigurationError } from './configuration-error.ts';
import { fileProblem } from './file-problem.ts';
import { readTextFile } from './read-text-file.ts';
import { problemLine, shapeProblems } from './shape-problems.ts';

/** In bytes. The report of a complete run needs a hundredth of this. */
const maxBytes = 256 * 1024 * 1024;

/**
 * Reads a JSON report that an earlier run has written.
 * @throws ConfigurationError if the file cannot be read or is not a report
 */
export function readJsonReport<S extends z.ZodType>(file: string, schema: S): z.output<S> {
  let value: unknown;
  try {
    value = JSON.parse(readTextFile(file, maxBytes));
  } catch (error) {
    const why = error instanceof SyntaxError ? `is not JSON: ${error.message}` : fileProblem(error, 'read');
    throw new ConfigurationError([`${file}: ${why}; give a report of --report json=FILE`]);
  }
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const [first] = shapeProblems(parsed.error);
  throw new ConfigurationError([
    `${first === undefined ? file : problemLine(file, first)}; this is not a JSON report of this version of partnerkit`,
  ]);
}
