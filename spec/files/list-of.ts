import { z } from 'zod';
import { maxProblems, words } from './shape-problems.ts';

/** A list that is read until it has too many problems: those of a million wrong items would fill the memory. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .array(z.unknown())
    .check((list) => {
      list.value = list.value.map((value, at) => {
        if (list.issues.length >= maxProblems) return value;
        const { data, error } = item.safeParse(value, { reportInput: true, error: words });
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
