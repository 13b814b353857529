import { z } from 'zod';
import { objectErrors, wordErrors } from './shape-problems.ts';

/** An object with these properties and no others. */
export const closedObject = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, { error: objectErrors(Object.keys(shape)) });

/** An object with any of these properties and no others. */
export const optionalFields = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => closedObject(shape).partial();

/** One of these words. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: wordErrors(words) });
