import { z } from 'zod';
import { closedObject, oneOf } from '../../spec/files/closed-object.ts';
import { shapes } from '../arguments/shapes.ts';

/** The schemas of requests to the control API that the library has no argument for. */

const text = z.string().min(1, 'must not be empty').max(2_000, 'must have at most 2000 characters');
const milliseconds = z.number().min(0, 'must not be negative');

export const nothing = closedObject({});

export const reset = closedObject({ tenant: text.optional() });
export const newTenant = closedObject({
  from: text.meta({ description: 'The tenant to copy.' }),
  name: text.optional().meta({
    description: 'Lower-case letters, digits and hyphens. Without it the mock chooses a free name.',
  }),
}).meta({ id: 'NewTenant', description: 'A new copy of a tenant.' });
export const advance = closedObject({
  by: z
    .union([milliseconds, text], 'must be milliseconds or text such as "250ms", "2s", "5m"')
    .meta({ description: 'Milliseconds, or text such as 250ms, 2s, 5m.' }),
});
export const freeze = closedObject({
  at: z.union([milliseconds, text]).optional().meta({ description: 'Milliseconds since 1970, or an ISO date-time.' }),
});
export const tenantFilter = closedObject({ tenant: text.optional() });
export const snapshotQuery = closedObject({
  content: oneOf(['true', 'false']).optional().meta({ description: 'Whether the snapshot has the bytes of files.' }),
});
export const targetQuery = closedObject({
  format: oneOf(['yaml', 'json'])
    .optional()
    .meta({ description: 'Without it the Accept header decides, and YAML is the default.' }),
  copies: oneOf(['true', 'false'])
    .optional()
    .meta({ description: 'Whether copied tenants are described too. Only who created one has its secrets.' }),
});

/** A whole number in a query string. */
const digits = (message: string, pattern = /^\d{1,15}$/) => z.string().regex(pattern, message).transform(Number);
const inQuery = 'must be milliseconds since 1970 or a date and time such as 2026-11-21T10:00:00Z';
const time = z
  .union([digits(inQuery), z.iso.datetime({ offset: true, error: inQuery }).transform(Date.parse)], inQuery)
  .optional()
  .meta({ description: 'Milliseconds since 1970, or an ISO date-time.' });
const queryFilter = {
  ...shapes().requests,
  status: z
    .union(
      [digits('', /^\d{3}$/), z.string().regex(/^[1-5]xx$/)],
      'must be a status such as 404, or a class such as 4xx',
    )
    .optional()
    .meta({ description: 'A status such as 404, or a class such as 4xx.' }),
  since: time,
  until: time,
};
const limit = digits('must be a whole number').optional();

/** A journal query in a query string. */
export const journalQuery = closedObject({
  ...queryFilter,
  limit: limit.meta({ description: 'How many exchanges at most; 100 by default.' }),
});
export const streamQuery = closedObject({
  ...queryFilter,
  lastEventId: digits('must be the id of an exchange')
    .optional()
    .meta({ description: 'The same as the header Last-Event-ID, for clients that cannot set headers.' }),
});
/** Selects records of a tenant. */
export const recordsQuery = closedObject({
  limit: limit.meta({
    description: 'How many records of each kind at most; all by default. Labels are always complete.',
  }),
  text: text.optional().meta({
    description: 'Returns only records whose id or name contains this text, ignoring case.',
  }),
});
