import { z } from 'zod';

const figure = z.number().nullable().describe('null: not bounded');
const interval = z.strictObject({ low: figure, high: figure, best: z.number().optional() });
const counts = z.strictObject({ admitted: z.int(), throttled: z.int(), refused: z.int(), unknown: z.int() });

/** The JSON report of a load run. Its only definition: the type and `report.schema.json` follow. */
export const loadReportSchema = z.strictObject({
  format: z.literal('partnerkit-load-report'),
  version: z.literal(2).describe('Raised when a reader of the previous version would misread this one.'),
  kit: z.string().describe('Version of partnerkit.'),
  scenario: z.string(),
  target: z.string().describe('baseUrl of the deployment; empty when recomputed from raw output.'),
  startedAt: z.iso.datetime().nullable().describe('When the first request after the preflight was sent.'),
  seconds: z.number().describe('From the first request to the last answer.'),
  again: z.string().optional().describe('The command that makes the report anew.'),
  outcome: z.enum(['keeps', 'breaks', 'cannot-tell']),
  exitCode: z.int(),
  sentence: z.string().describe('The verdict, to be acted on.'),
  reasons: z
    .array(z.strictObject({ code: z.string(), text: z.string() }))
    .describe(
      'Why the outcome is not that it keeps the contract. Codes: too-lax, key-refused, or the id of a broken rule.',
    ),
  rules: z.array(
    z.strictObject({
      rule: z.string(),
      level: z.enum(['must', 'should']),
      provenance: z.enum(['documented', 'reference', 'assumed']),
      outcome: z.enum(['pass', 'fail', 'inconclusive', 'observed']),
      seen: z.string(),
    }),
  ),
  traffic: z.strictObject({
    requests: z.int(),
    dropped: z.int().describe('Requests that could not be sent in time.'),
    unanswered: z.int(),
    durationMs: z.strictObject({ p50: figure, p95: figure, p99: figure, max: figure }),
  }),
  keys: z.array(
    z.strictObject({
      key: z.string(),
      limit: z.strictObject({ perSecond: z.number(), burst: z.number() }),
      verdict: z.enum(['pass', 'too-lax', 'too-strict', 'inconclusive']),
      sentence: z.string(),
      deviation: z.number().optional().describe('Relative: 0.21 for 12.1 rps instead of 10.'),
      counts,
      measured: z.strictObject({ rate: interval, burst: interval, bucket: z.boolean() }),
      sources: z.array(z.string()).describe('Raw outputs that the key was driven in.'),
    }),
  ),
  timeline: z
    .array(z.strictObject({ second: z.int(), ...counts.shape }))
    .describe('Requests by the second they were answered in, from startedAt, without the preflight.'),
  admitted: z
    .array(z.tuple([z.number(), z.int()]))
    .describe('For one key: seconds since startedAt, requests admitted by then; thinned out.'),
  sources: z.array(z.string()).describe('Raw outputs of k6 that this was computed from.'),
});

export type LoadReport = z.output<typeof loadReportSchema>;
