import { z } from 'zod';
import { closedObject } from '../../spec/files/closed-object.ts';

/**
 * Values in requests and replies of the control API. A reply is written by its schema: times become ISO date-times, a Set a list, and what the
 * schema does not name, such as the hash of a secret, is left out.
 */

export const text = z.string();
export const count = z.int();
export const given = text.min(1, 'must not be empty').max(2_000, 'must have at most 2000 characters');

/** A value that may be missing where it comes from. */
export const or = <Schema extends z.ZodType>(value: Schema, missing: z.input<Schema>) =>
  z.preprocess((known: z.input<Schema> | undefined) => known ?? missing, value);
export const orNull = or(text.nullable(), null);

export const dateTime = z
  .number()
  .transform((at) => new Date(at).toISOString())
  .pipe(z.iso.datetime());

/** A number; null for Infinity, which JSON does not have. */
export const finite = z
  .custom<number>()
  .transform((value) => (Number.isFinite(value) ? value : null))
  .pipe(z.number().nullable());

/** The name of a schema in the OpenAPI document. */
export const named = (id: string, description: string) => ({ id, description });

export const nothing = closedObject({});
export const tenantFilter = closedObject({ tenant: given.optional() });
