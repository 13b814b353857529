import { z } from 'zod';
import { closedObject, oneOf } from '../../spec/files/closed-object.ts';
import { operationIds } from '../../spec/operations.ts';
import type { Shape } from '../arguments/shape.ts';
import * as shapes from '../arguments/shapes.ts';
import type { FaultSpec } from '../faults/fault.ts';
import type { JournalQuery } from '../journal/query.ts';
import type { Gaps, Times } from '../journal/verification.ts';
import type { KeyEdit, NewKeyOptions } from '../keys/key-ring.ts';

/** A verification checks the number, the order or the spacing of exchanges. */
type VerifyRequest =
  | { readonly query?: JournalQuery; readonly times: Times }
  | { readonly sequence: readonly JournalQuery[] }
  | { readonly query?: JournalQuery; readonly gaps: Gaps };

/** The schemas of requests to the control API. A test compares them with `openapi.yaml`. */

const text = z.string().min(1, 'must not be empty').max(2_000, 'must have at most 2000 characters');
const milliseconds = z.number().min(0, 'must not be negative');
const duration = z.union([milliseconds, text], 'must be milliseconds or text such as "250ms", "2s", "5m"');
const operationId = oneOf(operationIds as [(typeof operationIds)[number], ...(typeof operationIds)[number][]]);

/** The library checks values that it also accepts itself, so that both give the same messages. */
const checkedBy = <Value>(shape: Shape) =>
  z.custom<Value>().superRefine((value, { addIssue }) => {
    for (const { path, message } of shape(value)) addIssue({ code: 'custom', path: [...path], message });
  });

export const nothing = closedObject({});
export const noQuery = closedObject({});

export const newKey = checkedBy<NewKeyOptions & { readonly tenant: string }>(shapes.newKeyOfTenant);
export const keyEdit = checkedBy<KeyEdit>(shapes.keyEdit);

export const reset = closedObject({ tenant: text.optional() });
export const newTenant = closedObject({ from: text, name: text.optional() });
export const advance = closedObject({ by: duration });
export const freeze = closedObject({ at: z.union([milliseconds, text]).optional() });
export const tenantFilter = closedObject({ tenant: text.optional() });
export const snapshotQuery = closedObject({ content: oneOf(['true', 'false']).optional() });
export const targetQuery = closedObject({
  format: oneOf(['yaml', 'json']).optional(),
  copies: oneOf(['true', 'false']).optional(),
});

export const faultSpec = checkedBy<FaultSpec>(shapes.faultSpec);

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
/** A journal query in a body, the same that `mock.journal` accepts. */
export const journalFilter = checkedBy<JournalQuery>(shapes.journalQuery);
export const verifyRequest = checkedBy<VerifyRequest>(shapes.verifyRequest);

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
  /** Returns only the newest exchanges, at most this many. */
  limit: digits('must be a whole number').optional(),
});
/** Selects records of a tenant. */
export const recordsQuery = closedObject({ limit: digits('must be a whole number').optional(), text: text.optional() });
export const streamQuery = closedObject({
  ...queryFilter,
  lastEventId: digits('must be the id of an exchange').optional(),
});
