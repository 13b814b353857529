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
  const { data, error } = z.safeParse(schema, value, { reportInput: true });
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
      // The first unknown properties get a line each.
      const lines = issue.message.split('\n');
      const named = lines.map((message, position) => ({
        path: [...issue.path, shownName(issue.keys[position] ?? '')],
        message,
      }));
      const others = issue.keys.length - lines.length;
      return others > 0 ? [...named, { path: issue.path, message: `${others} more unknown properties` }] : named;
    }
    return { path: issue.path, message: message(issue) };
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

function message(issue: z.$ZodIssue): string {
  if (issue.input === undefined && ['invalid_type', 'invalid_value', 'invalid_union'].includes(issue.code))
    return 'is missing';
  // A schema may have a message of its own.
  if (issue.code === 'too_small' && issue.message.startsWith('Too small'))
    return issue.origin === 'string'
      ? 'must not be empty'
      : `must be ${issue.inclusive ? 'at least' : 'above'} ${issue.minimum}`;
  if (issue.code !== 'invalid_type' || !issue.message.startsWith('Invalid input')) return issue.message;
  // A common mistake in YAML: a bare 10042 is a number, but ids are strings.
  const remedy = issue.expected === 'string' && typeof issue.input === 'number' ? '; put it in quotes' : '';
  return `must be ${article[issue.expected] ?? issue.expected}${remedy}`;
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

/** Suggestions are made only for the first unknown properties, because each takes time. */
const maxNamed = 20;

/** As much of zod's issues as these messages need. */
interface Issue {
  readonly code?: string | undefined;
  readonly keys?: unknown;
  readonly input?: unknown;
}

/**
 * The messages of an object with these properties and no others. The message about unknown properties has one line for each,
 * with the property that was most likely meant. `shapeProblems` adds the places.
 */
export const objectErrors =
  (names: readonly string[]) =>
  ({ code, keys, input }: Issue): string | undefined => {
    if (code === 'unrecognized_keys') {
      const unknown = (keys as string[]).slice(0, maxNamed);
      return unknown.map((key) => `unknown property; ${remedy(key, names)}`).join('\n');
    }
    if (code === 'invalid_type' && input !== undefined)
      return `${input === null ? 'is empty; it ' : ''}must be an object with ${properties(names)}`;
    return undefined;
  };

/** A list of the first names, for messages. */
function properties(names: readonly string[]): string {
  const own = names.filter((name) => name !== '$schema');
  return own.length > 6 ? `${own.slice(0, 6).join(', ')}, ...` : own.join(', ');
}

/** The message for a word that is none of these: it suggests the most likely word, or lists all. */
export const wordErrors =
  (words: readonly string[]) =>
  ({ input }: Issue): string =>
    typeof input === 'string'
      ? `unknown value "${input.slice(0, 40)}"; ${remedy(input, words)}`
      : `must be one of ${words.join(', ')}`;
