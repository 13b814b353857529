import { z } from 'zod';
import { closedObject } from './closed-object.ts';
import { ConfigurationError } from './configuration-error.ts';
import { problemLine, shapeProblems } from './shape-problems.ts';
import { readYamlFile } from './yaml-file.ts';

const text = z.string().trim().min(1, 'must not be empty');

const waiver = closedObject({
  id: text.describe('The id of the check that is known to fail, as reports show it.'),
  reason: text.describe('Why the failure is accepted for now.'),
  owner: text.describe('Who sees to it that it ends.'),
  expires: z.iso
    .date('must be a date such as 2026-12-31')
    .describe('The last day, in UTC, on which the failure is excused.'),
});

/** The waiver file: known failures, each excused until its date. Its only definition; types and JSON Schema follow. */
export const waiversSchema = closedObject({
  $schema: z.string().describe('For editors.').optional(),
  waivers: z
    .array(waiver)
    .superRefine((waivers, context) => {
      const ids = waivers.map(({ id }) => id);
      ids.forEach((id, position) => {
        if (ids.indexOf(id) < position) {
          context.addIssue({ code: 'custom', path: [position, 'id'], message: 'another waiver is for this check' });
        }
      });
    })
    .describe('One entry per check.'),
}).transform(({ waivers }) => waivers);

/** One excused failure. `expires` is a date, `2026-12-31`, and the last day on which it holds. */
export type Waiver = z.output<typeof waiversSchema>[number];

/**
 * Checks waivers that are already in memory.
 * @param where what errors call the value, such as the name of its file
 * @throws ConfigurationError with every problem found, one line each
 */
export function parseWaivers(value: unknown, where: string): readonly Waiver[] {
  const parsed = waiversSchema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw new ConfigurationError(shapeProblems(parsed.error).map((problem) => problemLine(where, problem)));
}

/**
 * Reads and checks a waiver file, YAML or JSON.
 * @throws ConfigurationError with every problem found, one line each: file, place, what is wrong
 */
export function loadWaivers(file: string): readonly Waiver[] {
  return parseWaivers(readYamlFile(file), file);
}
