import { z } from 'zod';
import { maxProblems, objectErrors, wordErrors } from './shape-problems.ts';

/** An object with these properties and no others. */
export const closedObject = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, { error: objectErrors(Object.keys(shape)) });

/** An object with any of these properties and no others. */
export const optionalFields = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => closedObject(shape).partial();

/** One of these words. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: wordErrors(words) });

/** A list that is read until it has too many problems: those of a million wrong items would fill the memory. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .array(z.unknown())
    .check((list) => {
      list.value = list.value.map((value, at) => {
        if (list.issues.length >= maxProblems) return value;
        const { data, error } = item.safeParse(value, { reportInput: true });
        for (const issue of error?.issues ?? [])
          list.issues.push({ ...issue, path: [at, ...issue.path] } as z.core.$ZodRawIssue);
        return data;
      });
    })
    .meta({
      get items() {
        return { ...z.toJSONSchema(item, { io: 'input' }), $schema: undefined };
      },
    }) as unknown as z.ZodArray<Item>;
