import { z } from 'zod';

/** Nobody reads more problems than this, and millions of problems would take gigabytes. */
const maxProblems = 100;

/** A list of such items, of any length. Checking stops at the hundredth problem. */
export const boundedList = <Item>(item: z.ZodType<Item>) =>
  z
    .array(z.unknown())
    .transform((items, context) => checkEach(items.entries(), item, context).map(([, value]) => value));

/** An object with such values and any names, checked in the same way. */
export const boundedRecord = <Value>(value: z.ZodType<Value>) =>
  z
    .record(z.string(), z.unknown())
    .transform((record, context) => Object.fromEntries(checkEach(Object.entries(record), value, context)));

function checkEach<Key extends string | number, Value>(
  entries: Iterable<readonly [Key, unknown]>,
  schema: z.ZodType<Value>,
  { issues }: z.RefinementCtx,
): [Key, Value][] {
  const checked: [Key, Value][] = [];
  for (const [key, input] of entries) {
    const { success, data, error } = schema.safeParse(input, { reportInput: true });
    if (success) checked.push([key, data]);
    else for (const issue of error.issues) issues.push({ ...issue, path: [key, ...issue.path] } as z.core.$ZodRawIssue);
    if (issues.length >= maxProblems) {
      issues.push({
        code: 'custom',
        input: undefined,
        path: [],
        message: 'too many problems: the rest was not checked',
      });
      break;
    }
  }
  return checked;
}
