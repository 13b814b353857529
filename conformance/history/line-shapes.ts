import { z } from 'zod';
import { hooks } from '../../spec/files/hooks.ts';
import { operationIds } from '../../spec/operations.ts';
import { rules } from '../../spec/rules.ts';

const texts = z.record(z.string(), z.string());
const textOrNull = z.string().nullable();
/** Milliseconds since the epoch of which there is a date. */
const instant = z.number().min(-8.64e15).max(8.64e15);
const isoTime = z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'is no time');

const rule = z.literal(rules.map(({ id }) => id));
const statuses = z.array(z.number());

const facts = z.looseObject({
  operation: z.literal(operationIds),
  caller: z.enum(['valid', 'none', 'unknown', 'revoked', 'bearer', 'elsewhere', 'other-case']),
  owner: z.enum(['ours', 'theirs', 'nobody', 'malformed']).nullable(),
  label: z.enum(['spare', 'carried', 'private', 'foreign', 'unknown', 'malformed']).nullable(),
  mutation: z
    .looseObject({
      id: z.string(),
      means: z.union([
        z.enum(['lawful', 'open']),
        z.looseObject({ may: statuses }),
        z.looseObject({ rule, statuses: z.union([statuses, z.enum(['any', 'no success'])]) }),
      ]),
    })
    .nullable(),
  once: z.literal(true).optional(),
  serves: rule.optional(),
});

const step = z.looseObject({
  record: z.string(),
  carries: z.array(z.string()),
  part: z.enum(['learn', 'write', 'refused', 'look']),
  rule: rule.nullable(),
});

const trial = z.looseObject({
  id: z.number(),
  arm: z.enum(['script', 'control']),
  round: z.number(),
  rule,
  sign: z.string(),
});

/**
 * What laws read of each line of a history without asking. A history may come from anywhere, and what is missing in it must be named by
 * its line, not by an error of the laws. Loose: a later version may say more.
 */
export const lineShapes = {
  history: z.looseObject({
    startedAt: isoTime,
    target: z.looseObject({
      baseUrl: z.string().refine(URL.canParse, 'is no URL'),
      tenants: z
        .array(
          z.looseObject({
            name: z.string(),
            keys: z.array(
              z.looseObject({
                name: z.string(),
                scopes: z.array(z.string()),
                rateLimit: z.looseObject({ perSecond: z.number(), burst: z.number() }),
              }),
            ),
          }),
        )
        .min(1),
      operations: z.looseObject({}),
      hooks: z.looseObject({}),
    }),
  }),
  exchange: z
    .looseObject({
      n: z.number(),
      script: z.string(),
      operation: z.literal([...operationIds, 'storage']).nullable(),
      key: textOrNull,
      credential: z.string(),
      params: texts,
      twist: textOrNull,
      method: z.string(),
      url: z.string(),
      requestHeaders: texts,
      requestBody: textOrNull,
      sentAt: instant,
      doneAt: instant,
      status: z.number().nullable(),
      headers: texts,
      body: textOrNull,
      failure: textOrNull,
      facts: facts.optional(),
      demand: z.looseObject({ rule, succeeds: z.boolean() }).optional(),
      step: step.optional(),
      trial: trial.optional(),
    })
    .refine(({ sentAt, doneAt }) => sentAt <= doneAt, { path: ['doneAt'], message: 'is before sentAt' }),
  hook: z.looseObject({
    script: z.string(),
    hook: z.literal(Object.keys(hooks.shape)),
    tenant: z.string(),
    input: z.looseObject({}),
    startedAt: instant,
    doneAt: instant,
    failure: textOrNull,
  }),
  skipped: z.looseObject({
    script: z.string(),
    tries: z.array(z.string()),
    reason: z.enum(['not-run', 'not-selected', 'stopped']),
    why: z.array(z.string()),
  }),
  end: z.looseObject({
    interrupted: z.boolean(),
    finishedAt: isoTime,
    left: z.array(z.string()),
    blocked: z.string().optional(),
    exercised: z.array(z.string()).optional(),
  }),
} as const;
