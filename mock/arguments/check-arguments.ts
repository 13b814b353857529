import * as z from 'zod/mini';
import { placeOf, shapeProblems } from '../../spec/files/shape-problems.ts';
import { MockError } from '../mock-error.ts';

/** @throws MockError `invalid` with every problem and its place */
export function checkArguments(value: unknown, schema: z.core.$ZodType): void {
  const { error } = z.safeParse(schema, value, { reportInput: true });
  if (error === undefined) return;
  const problems = shapeProblems(error).slice(0, 20);
  const lines = problems.map(({ path, message }) => [placeOf(path), message].filter(Boolean).join(': '));
  throw new MockError('invalid', lines.join('; '));
}
