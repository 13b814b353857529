import { z } from 'zod';
import { readJsonReport } from '../../spec/files/read-file.ts';
import { exchangeSchema as exchangeInHistory } from '../history/exchange.ts';
import { sightSchema } from '../verdict/failure-script.ts';
import { outcomes } from '../verdict/judge.ts';

const milliseconds = z.number().min(0);
const instant = z.iso.datetime();
const count = z.int().min(0);
export const outcomeSchema = z.enum(outcomes);

/** An exchange as in a history, with long bodies cut, and as a command. */
export const exchangeSchema = z.strictObject({
  ...exchangeInHistory.unwrap().shape,
  curl: z.string().describe('Repeats the request, with $KEY_NAME in place of secrets.'),
});

const breach = z.strictObject({
  exchange: count.describe('Number of the exchange that shows the breach.'),
  expected: z.string(),
  observed: z.string(),
  note: z.string().optional().describe('What else is known of it.'),
  with: z.array(count).describe('Numbers of the exchanges before it that belong to it, in the order of sending.'),
  counts: z
    .strictObject({ shown: count, of: count, beside: count, controls: count })
    .optional()
    .describe('How often the script showed it, and how often without the request in question.'),
  inQuestion: z.array(count).optional().describe('Numbers of the exchanges that the control leaves out.'),
  sight: sightSchema.optional().describe('What to look for in the last reply.'),
});

export const rowSchema = z.strictObject({
  id: z.string().describe('Stable id of the law.'),
  area: z.string(),
  title: z.string().describe('What must hold for every exchange that the law applies to.'),
  rule: z.strictObject({
    id: z.string(),
    text: z.string().describe('The rule in words.'),
    section: z.string().describe('Heading of the specification.'),
    provenance: z.enum(['documented', 'reference', 'assumed']),
    level: z.enum(['must', 'should']),
  }),
  outcome: outcomeSchema,
  waived: z.boolean().describe('Whether a waiver excuses the failure.'),
  message: z.string(),
  applied: count.describe('Number of replies, records, uploads or buckets that the law applied to.'),
  broken: count.describe('Number of those that break the law.'),
  smallestShare: z
    .number()
    .optional()
    .describe(
      'The smallest share of wrong replies that this run would have missed with less than 5%. Only of what passed.',
    ),
  where: z
    .array(z.strictObject({ request: z.string(), broken: count }))
    .optional()
    .describe('Requests whose replies break it, by method and path, the most frequent first.'),
  breaches: z.array(breach).describe('The first of them, as evidence.'),
});

/** Null is an unbounded end. */
const interval = z.looseObject({ low: z.number().nullable(), high: z.number().nullable() });

const limiter = z.strictObject({
  key: z.string().optional().describe('The key that was measured, as tenant/key.'),
  samples: z.array(z.strictObject({ sentAt: z.number(), doneAt: z.number(), status: z.int() })),
  judgement: z.looseObject({
    verdict: z.enum(['pass', 'too-lax', 'too-strict', 'inconclusive']),
    reason: z.string(),
    limit: z.looseObject({ perSecond: z.number(), burst: z.number() }),
    measured: z.looseObject({ rate: interval, burst: interval, bucket: z.boolean() }),
    counts: z.strictObject({ admitted: count, throttled: count, refused: count, unknown: count }),
    off: z
      .strictObject({ rate: z.number(), burst: z.number() })
      .describe('What is proven of each, as a part of the declared one.'),
    tooLax: z.strictObject({ from: z.number(), to: z.number(), admitted: z.number(), allowed: z.number() }).optional(),
    tooStrict: z.strictObject({ at: z.number(), tokens: z.number() }).optional(),
  }),
});

const mustOutcomes = z.enum(['fail', 'error', 'inconclusive', 'not-run', 'waived', 'pass']);

/** The JSON report, from which all other reports are made. The type and `report.schema.json` are derived from this definition. */
export const reportSchema = z.strictObject({
  schemaVersion: z.literal(4),
  kit: z.string().describe('Version of partnerkit.'),
  target: z.strictObject({
    baseUrl: z.string(),
    tenants: z.array(z.string()),
    file: z.string().optional().describe('The target file, as it was named.'),
    command: z.string().optional().describe('The command that made this report.'),
  }),
  startedAt: instant,
  finishedAt: instant,
  durationMilliseconds: milliseconds,
  verdict: z.enum(['conformant', 'non-conformant', 'incomplete']),
  exitCode: z.union([z.literal(0), z.literal(1), z.literal(3)]),
  sentence: z.string().describe('41 of 44 must rules passed, 2 not run, 1 inconclusive'),
  interrupted: z.boolean(),
  blocked: z
    .string()
    .optional()
    .describe('Why the run stopped early, where everything that was served before was refused.'),
  /** How far a run came that was cut off: scripts that came to their end, and others. */
  scripts: z.strictObject({ ended: count, stopped: count }).optional(),
  mustRules: z.record(mustOutcomes, count).describe('Rules by the worst outcome of their laws.'),
  outcomes: z.record(outcomeSchema, count).describe('Laws by outcome.'),
  waivers: z.array(
    z.strictObject({
      id: z.string(),
      reason: z.string(),
      owner: z.string(),
      expires: z.iso.date(),
      state: z
        .enum(['used', 'expired', 'not-needed', 'not-judged'])
        .describe('used: it excused a failure; not-needed: the law does not fail any more; not-judged by this run.'),
    }),
  ),
  requests: z.record(z.string(), count).describe('Requests by tenant/key; those without a key under -.'),
  gains: z
    .array(
      z.strictObject({
        field: z.string(),
        laws: z.array(z.string()).describe('Ids of laws that did not run and would be judged.'),
        scripts: count.describe('Scripts that would run in addition.'),
      }),
    )
    .describe('What the target file lacks, most useful first; each counts what it adds to those before it.'),
  left: z
    .array(z.string())
    .describe(
      'Labels that could not be removed again: run partnerkit conformance cleanup --target FILE. Also labels that the deployment lost or added during the run.',
    ),
  limiter: limiter.nullable().describe('The measurement of the rate limiter; null where none was made.'),
  profile: z.looseObject({}).describe('What this deployment does where the specification is silent.'),
  rows: z.array(rowSchema),
  exchanges: z.array(exchangeSchema).describe('The evidence that rows name by number.'),
});

/** A finished run with everything that reports show, redacted. */
export type Report = z.output<typeof reportSchema>;
/** The result of one law. */
export type ReportRow = Report['rows'][number];
/** A request and its reply that a row names. */
export type ReportExchange = Report['exchanges'][number];
export type LimiterRun = NonNullable<Report['limiter']>;

/**
 * Reads the JSON report of an earlier run.
 * @throws ConfigurationError when the file cannot be read or is not a JSON report
 */
export const readReport = (file: string): Report => readJsonReport(file, reportSchema);
