import { strictObject, z } from 'zod';
import { readYamlFile } from './read-file.ts';
import { parsed, unique } from './shape-problems.ts';

const text = z.string().trim().min(1);

const waiver = strictObject({
  id: text.describe('The id of the check that is known to fail, as in reports.'),
  reason: text.describe('Why the failure is accepted for now.'),
  owner: text.describe('Who is responsible for fixing it.'),
  expires: z.iso
    .date('must be a date such as 2026-12-31')
    .describe('The last day, in UTC, on which the failure is excused.'),
});

/** The waiver file: known failures, each excused until a date. Types and JSON Schema are derived from this schema. */
export const waiversSchema = strictObject({
  $schema: z.string().describe('For editors.').optional(),
  waivers: z
    .array(waiver)
    .superRefine(unique('id', 'another waiver is for this check'))
    .describe('One entry per check.'),
}).transform(({ waivers }) => waivers);

/** An excused failure. `expires` is the last day on which it is excused, such as `2026-12-31`. */
export type Waiver = z.output<typeof waiversSchema>[number];

/** Checks waivers that are already in memory. @param where the name of the value in errors, such as its file */
export const parseWaivers = (value: unknown, where: string): readonly Waiver[] => parsed(waiversSchema, value, where);

/** Reads and checks a waiver file, YAML or JSON. */
export const loadWaivers = (file: string): readonly Waiver[] => parseWaivers(readYamlFile(file), file);
