import { z } from 'zod';
import { remedy } from '../text/remedy.ts';

/** Suggestions are made only for the first unknown properties, because each takes time. */
const maxNamed = 20;

/**
 * An object with these properties and no others. The message about unknown properties has one line for each, with the
 * property that was most likely meant. `shapeProblems` adds the places.
 */
export function closedObject<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const names = Object.keys(shape);
  return z.strictObject(shape, {
    error: ({ code, keys, input }) => {
      if (code === 'unrecognized_keys') {
        const unknown = (keys as string[]).slice(0, maxNamed);
        return unknown.map((key) => `unknown property; ${remedy(key, names)}`).join('\n');
      }
      if (code === 'invalid_type' && input !== undefined) return `must be an object with ${properties(names)}`;
      return undefined;
    },
  });
}

/** A list of the first names, for messages. */
function properties(names: readonly string[]): string {
  const own = names.filter((name) => name !== '$schema');
  return own.length > 6 ? `${own.slice(0, 6).join(', ')}, ...` : own.join(', ');
}

/** One of these words. For any other word the message suggests the most likely word, or lists all. */
export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, {
    error: ({ input }) => (typeof input === 'string' ? `unknown value "${input}"; ${remedy(input, words)}` : undefined),
  });
}
