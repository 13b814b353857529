import { z } from 'zod';
import { exchangeSchema, outcomeSchema, rowSchema } from '../../../conformance/reports/report-schema.ts';

const count = z.int().min(0);

const row = rowSchema.omit({ waived: true }).extend({
  kind: z.enum(['duty', 'fault', 'freedom']),
  advice: z.string().describe('What to do when something is wrong.'),
  cases: z
    .record(z.string(), z.array(z.string()))
    .describe('Variations that this remedy mends, each with the parts in which it was seen; empty for duties.'),
  again: z.string().nullable().describe('A command that reproduces the result; null for recordings.'),
  output: z.string().nullable().describe('The end of the output of a command that failed.'),
});

/** The JSON report on a client. The type and `client-report.schema.json` are derived from this definition. */
export const clientReportSchema = z.strictObject({
  schemaVersion: z.literal(2),
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
    line: z.string().describe('The least scopes of a key, for the form of the portal.'),
  }),
  notes: z.array(z.string()).describe('What else the reader should know.'),
  outcomes: z.record(outcomeSchema, count),
  rows: z.array(row),
  exchanges: z.array(exchangeSchema).describe('The evidence that rows name by number.'),
});

/** The judgement of a client with everything that reports show, redacted. */
export type ClientReport = z.output<typeof clientReportSchema>;
export type ClientRow = ClientReport['rows'][number];
