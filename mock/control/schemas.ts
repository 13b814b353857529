import { z } from 'zod';
import { closedObject, oneOf } from '../../spec/files/closed-object.ts';
import { operationIds, scopes } from '../../spec/operations.ts';

/** What the control API takes, as `openapi.yaml` says it. */

const text = z.string().min(1, 'must not be empty').max(2_000, 'must have at most 2000 characters');
const milliseconds = z.number().min(0, 'must not be negative');
const duration = z.union([milliseconds, text], 'must be milliseconds or text such as "250ms", "2s", "5m"');
const wholeAboveZero = z.int('must be a whole number').min(1, 'must be at least 1');
const operationId = z.enum(operationIds as [(typeof operationIds)[number], ...(typeof operationIds)[number][]], {
  error: `must be one of ${operationIds.join(', ')}`,
});

export const nothing = closedObject({});
export const noQuery = closedObject({});

export const rateLimit = closedObject({
  perSecond: z.number().positive('must be above 0').max(1_000_000, 'must be at most 1000000'),
  burst: wholeAboveZero.max(1_000_000, 'must be at most 1000000'),
});
const scopeList = z.array(oneOf(scopes));

export const newKey = closedObject({
  tenant: text,
  name: text.max(100, 'must have at most 100 characters'),
  scopes: scopeList,
  rateLimit: rateLimit.optional(),
});
export const keyEdit = closedObject({
  scopes: scopeList.optional(),
  rateLimit: rateLimit.nullable().optional(),
}).refine((edit) => edit.scopes !== undefined || edit.rateLimit !== undefined, 'must have scopes or rateLimit');

export const reset = closedObject({ tenant: text.optional() });
export const newTenant = closedObject({ from: text, name: text.optional() });
export const advance = closedObject({ by: duration });
export const freeze = closedObject({ at: z.union([milliseconds, text]).optional() });
export const tenantFilter = closedObject({ tenant: text.optional() });
export const snapshotQuery = closedObject({ content: oneOf(['true', 'false']).optional() });
export const targetQuery = closedObject({ format: oneOf(['yaml', 'json']).optional() });

const latency = z.union(
  [duration, closedObject({ mean: duration, deviation: duration }), closedObject({ median: duration, p99: duration })],
  'must be a duration such as "200ms", {mean, deviation} or {median, p99}',
);
const headerValue = z.string().regex(/^[\t\x20-\x7e]*$/, 'must be visible ASCII');
const statusReply = closedObject({
  status: z.int('must be a whole number').min(200, 'must be 200 to 599').max(599, 'must be 200 to 599'),
  code: text.optional(),
  message: text.optional(),
  body: z.json().optional(),
  retryAfter: z.int('must be whole seconds').min(0, 'must not be negative').optional(),
  headers: z.record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be the name of a header'), headerValue).optional(),
});

export const faultSpec = closedObject({
  operationId: operationId.optional(),
  tenant: text.optional(),
  key: text.optional(),
  method: text.optional(),
  path: text.optional(),
  times: wholeAboveZero.optional(),
  lasts: duration.optional(),
  probability: z.number().min(0, 'must be 0 to 1').max(1, 'must be 0 to 1').optional(),
  seed: z.int().optional(),
  burst: wholeAboveZero.optional(),
  reply: statusReply.optional(),
  latency: latency.optional(),
  drop: oneOf(['before', 'after']).optional(),
  damage: oneOf(['truncated', 'malformed']).optional(),
});

type StatusClass = `${1 | 2 | 3 | 4 | 5}xx`;
const statusText = 'must be a status such as 404, or a class such as 4xx';
const statusClass = z.custom<StatusClass>((value) => typeof value === 'string' && /^[1-5]xx$/.test(value), statusText);
const isoInstant = z.iso
  .datetime({ offset: true, error: 'must be milliseconds since 1970 or a date and time such as 2026-11-21T10:00:00Z' })
  .transform(Date.parse);
const digits = (name: string) =>
  z
    .string()
    .regex(/^\d{1,15}$/, name)
    .transform(Number);

const filter = {
  tenant: text.optional(),
  key: text.optional(),
  operationId: operationId.optional(),
  method: text.optional(),
  path: text.optional(),
};
const bodyFilter = closedObject({
  ...filter,
  status: z.union([z.int(), statusClass], statusText).optional(),
  since: z.union([milliseconds, isoInstant]).optional(),
  until: z.union([milliseconds, isoInstant]).optional(),
});

/** A journal query in a body, as `mock.journal` takes it. */
export const journalFilter = bodyFilter;
const times = z.union(
  [z.int().min(0), closedObject({ atLeast: z.int().min(0).optional(), atMost: z.int().min(0).optional() })],
  'must be a whole number, or {atLeast, atMost}',
);
export const verifyRequest = closedObject({ query: bodyFilter.default({}), times });

const queryFilter = {
  ...filter,
  status: z
    .union(
      [
        z
          .string()
          .regex(/^\d{3}$/)
          .transform(Number),
        statusClass,
      ],
      statusText,
    )
    .optional(),
  since: z.union([digits('must be milliseconds'), isoInstant]).optional(),
  until: z.union([digits('must be milliseconds'), isoInstant]).optional(),
};
/** A journal query in a query string. */
export const journalQuery = closedObject({
  ...queryFilter,
  /** The newest so many. */
  limit: digits('must be a whole number').optional(),
});
export const streamQuery = closedObject({
  ...queryFilter,
  lastEventId: digits('must be the id of an exchange').optional(),
});
