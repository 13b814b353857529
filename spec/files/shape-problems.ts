import * as z from 'zod/v4/core';
import { remedy } from '../text/nearest.ts';
import { ConfigurationError } from './configuration-error.ts';
import type { Path } from './environment.ts';

/** Nobody reads more problems than this, and looking for what was meant takes time. */
export const maxProblems = 100;

/**
 * A value checked by a schema.
 * @param where the name of the value in errors, such as its file
 * @param at the place of the value in it
 * @throws ConfigurationError with a line for each problem: file, place, what is wrong
 */
export function parsed<T>(schema: z.$ZodType<T>, value: unknown, where: string, at: Path = []): T {
  const { data, problems } = tried(schema, value);
  if (problems.length === 0) return data as T;
  const lines = problems.slice(0, maxProblems).map(({ path, message }) => ({ path: [...at, ...path], message }));
  throw new ConfigurationError(lines.map((problem) => problemLine(where, problem)));
}

/** A value as a schema reads it, and what is wrong with it. Values are never repeated, because they may be secrets. */
export function tried<T>(schema: z.$ZodType<T>, value: unknown) {
  // Missing values are told from wrong ones by the input.
  const { data, error } = z.safeParse(schema, value, { reportInput: true, error: words });
  return { data, problems: error === undefined ? [] : shapeProblems(error) };
}

/** A problem and its place. */
export interface ShapeProblem {
  readonly path: Path;
  readonly message: string;
}

function shapeProblems(error: z.$ZodError): ShapeProblem[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.message.split('\n').map((message, position) => ({
        path: [...issue.path, shownName(issue.keys[position] ?? '')],
        message,
      }));
    }
    const isMissing = issue.input === undefined && /^invalid_(?:type|value|union)$/.test(issue.code);
    return { path: issue.path, message: isMissing ? 'is missing' : issue.message };
  });
}

/** A long or odd name may be a secret on the wrong side of the colon, so only its start is shown. */
const shownName = (name: string) =>
  /^\$?[A-Za-z_-]{1,40}$/.test(name) || name.length <= 8 ? name : `${name.slice(0, 8)}…`;

/** A path as text, such as `tenants[0].keys[1].secret`; empty for the whole document. */
export function placeOf(path: Path): string {
  return path.reduce<string>((place, step) => {
    if (typeof step === 'number') return `${place}[${step}]`;
    return place === '' ? String(step) : `${place}.${String(step)}`;
  }, '');
}

/** One line of a `ConfigurationError`: the file, the place in it, what is wrong. */
export const problemLine = (where: string, { path, message }: ShapeProblem): string =>
  [where, placeOf(path), message].filter((part) => part !== '').join(': ');

/** What is wrong, where a schema has no message of its own; of unknown properties a line for each, whose places `shapeProblems` adds. */
export const words: z.$ZodErrorMap = (issue) => {
  const { code, input } = issue;
  if (code === 'unrecognized_keys') {
    const unknown = issue.keys.slice(0, maxProblems);
    return unknown.map((key) => `unknown property; ${remedy(key, namesOf(issue) ?? [])}`).join('\n');
  }
  if (code === 'invalid_value' && typeof input === 'string')
    return `unknown value "${input.slice(0, 40)}"; ${remedy(input, issue.values.map(String))}`;
  if (code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if (code === 'too_small' && issue.origin === 'string') return 'must not be empty';
  if (code === 'too_small') return `must be ${issue.inclusive ? 'at least' : 'above'} ${issue.minimum}`;
  if (code !== 'invalid_type') return undefined;
  const names = namesOf(issue);
  if (names !== undefined) return `${input === null ? 'is empty; it ' : ''}must be an object with ${properties(names)}`;
  // A common mistake in YAML: a bare 10042 is a number, but ids are strings.
  const inQuotes = issue.expected === 'string' && typeof input === 'number' ? '; put it in quotes' : '';
  return `must be ${article[issue.expected] ?? issue.expected}${inQuotes}`;
};

/** The properties of an object with these and no others; undefined for all else. */
function namesOf({ inst }: z.$ZodRawIssue): string[] | undefined {
  const { shape, catchall } = (inst?._zod.def ?? {}) as Partial<z.$ZodObjectDef>;
  return shape && catchall && Object.keys(shape);
}

const article: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object with properties',
};

/** Refuses a list of which two have the same text in this field. */
export const unique =
  <Field extends string>(field: Field, message: string) =>
  (list: readonly Readonly<Record<Field, string>>[], context: z.$RefinementCtx): void => {
    const texts = list.map((one) => one[field]);
    texts.forEach((text, position) => {
      if (texts.indexOf(text) < position) context.addIssue({ code: 'custom', path: [position, field], message });
    });
  };

/** A list of the first names, for messages. */
function properties(names: readonly string[]): string {
  const own = names.filter((name) => name !== '$schema');
  return own.length > 6 ? `${own.slice(0, 6).join(', ')}, ...` : own.join(', ');
}
