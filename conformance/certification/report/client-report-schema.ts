import { z } from 'zod';
import { exchangeSchema, outcomeSchema, rowSchema } from '../../reports/report-schema.ts';

const count = z.int().min(0);

const row = rowSchema.omit({ waived: true }).extend({
  kind: z.enum(['duty', 'fault', 'freedom']),
  advice: z.string().describe('What to do where something is wrong.'),
  again: z.string().nullable().describe('A command that shows it again; null where only a recording was judged.'),
  test: z.string().nullable().describe('A test to copy that makes it happen, where there is one.'),
  output: z.string().nullable().describe('The end of what the command printed where it failed.'),
});

/** The JSON report on a client. Its only definition; type and JSON Schema follow. */
export const clientReportSchema = z.strictObject({
  schemaVersion: z.literal(1),
  kit: z.string().describe('Version of partnerkit.'),
  subject: z.string().describe('The command that was run, or the recording.'),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  durationMilliseconds: z.number().min(0),
  verdict: z.enum(['certified', 'not-certified', 'incomplete']),
  exitCode: z.union([z.literal(0), z.literal(1), z.literal(3)]),
  sentence: z.string(),
  runs: count.describe('How often the command was run; 0 for a recording.'),
  operations: z.record(z.string(), count).describe('Requests of an unvaried run, by operation.'),
  scopes: z.strictObject({
    needed: z.array(z.string()),
    notNeeded: z.array(z.string()),
    line: z.string().describe('The least that a key needs, to be put into the portal.'),
  }),
  notes: z.array(z.string()).describe('What else the reader should know.'),
  outcomes: z.record(outcomeSchema, count),
  rows: z.array(row),
  exchanges: z.array(exchangeSchema).describe('The evidence that rows name by number.'),
});

/** What was found out about a client, redacted. */
export type ClientReport = z.output<typeof clientReportSchema>;
export type ClientRow = ClientReport['rows'][number];
