import { z } from 'zod';
import { hooks } from '../../spec/files/hooks.ts';
import { operationIds } from '../../spec/operations.ts';

const texts = z.record(z.string(), z.string());
const textOrNull = z.string().nullable();
/** Milliseconds since the epoch of which there is a date. */
const instant = z.number().min(-8.64e15).max(8.64e15);
const isoTime = z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'is no time');

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
      situation: z.string(),
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
    })
    .refine(({ sentAt, doneAt }) => sentAt <= doneAt, { path: ['doneAt'], message: 'is before sentAt' }),
  hook: z.looseObject({
    situation: z.string(),
    hook: z.literal(Object.keys(hooks.shape)),
    tenant: z.string(),
    input: z.looseObject({}),
    startedAt: instant,
    doneAt: instant,
    failure: textOrNull,
  }),
  skipped: z.looseObject({
    situation: z.string(),
    feeds: z.array(z.string()),
    reason: z.enum(['not-run', 'not-selected', 'stopped']),
    why: z.array(z.string()),
  }),
  end: z.looseObject({
    interrupted: z.boolean(),
    finishedAt: isoTime,
    left: z.array(z.string()),
    exercised: z.array(z.string()).optional(),
  }),
} as const;
