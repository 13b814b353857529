import { z } from 'zod';
import { remedy } from '../text/nearest.ts';

/** An object with these properties and no others. */
export const closedObject = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, { error: objectErrors(Object.keys(shape)) });

/** One of these words. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: wordErrors(words) });

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
    if (code === 'invalid_type' && input !== undefined) return `must be an object with ${properties(names)}`;
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
