import type { z } from 'zod';

type Path = readonly PropertyKey[];

/**
 * What zod found wrong with `input`, one line per problem, each with the place it stands at:
 * `conversations[3].status: expected string, received number; put 12 in quotes`.
 *
 * @param base the place of `input` in its document, for example `sites[2]`; empty for the document itself
 */
export function shapeProblems(error: z.ZodError, input: unknown, base = ''): string[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => `${placeOf(base, [...issue.path, key])}: unknown field`);
    }
    return `${placeOf(base, issue.path) || 'the document'}: ${reason(issue, valueAt(input, issue.path))}`;
  });
}

function reason(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'invalid_type' && value === undefined) return 'missing';
  const message = issue.message.replace(/^Invalid (input|option): /, '');
  // The usual slip in YAML: a bare 10042 is a number there, while ids and ZIP codes are text.
  const quotable = issue.code === 'invalid_type' && issue.expected === 'string' && typeof value === 'number';
  return quotable ? `${message}; put ${value} in quotes` : message;
}

function placeOf(base: string, path: Path): string {
  return path.reduce<string>((place, step) => {
    if (typeof step === 'number') return `${place}[${step}]`;
    return place === '' ? String(step) : `${place}.${String(step)}`;
  }, base);
}

function valueAt(input: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    input,
  );
}
