import { z } from 'zod';
import { shapes } from '../arguments/shapes.ts';

/** The replies of the control API. Its OpenAPI document is written from these schemas, and tests hold every reply to them. */

const { faultSpec, rateLimit } = shapes();
const text = z.string();
const orNull = text.nullable();
const count = z.int();
const dateTime = z.iso.datetime();
const dateTimeOrNull = dateTime.nullable();
const named = (id: string, description: string) => ({ id, description });

const journalSize = z.object({ kept: count, dropped: count, bytes: count });
export const health = z.object({ status: z.literal('ok'), tenants: count, journal: journalSize });
export const clientReport = z.object({
  report: z
    .looseObject({})
    .nullable()
    .meta({ description: 'The report. Its schema is client-report.schema.json of the package.' }),
});
export const contract = z.looseObject({ openapi: text, info: z.looseObject({}), paths: z.looseObject({}) });
export const target = z
  .looseObject({ baseUrl: text, tenants: z.array(z.looseObject({})) })
  .meta(named('Target', 'A target file. Its schema is spec/files/target.schema.json.'));
export const snapshot = z
  .looseObject({
    version: z.literal(1),
    takenAt: dateTime,
    clock: z.looseObject({}),
    tenants: z.array(z.looseObject({})),
    removed: z.array(text),
  })
  .meta(named('Snapshot', 'The whole state of the mock. Store and restore it; do not edit it.'));

export const clock = z
  .object({
    now: dateTime,
    frozen: z.boolean(),
    offset: count.meta({ description: 'How many milliseconds the clock is ahead of real time.' }),
  })
  .meta(named('Clock', 'The clock of the mock.'));

const headers = z.record(text, text).meta({ description: 'Names in lower case; keys and tokens are redacted.' });
const body = z
  .object({ text, bytes: count, shortened: z.boolean() })
  .nullable()
  .meta({ description: 'The kept part of a body, its full size, and whether it was shortened.' });
export const exchange = z
  .object({
    id: count,
    at: dateTime,
    milliseconds: z.number(),
    tenant: orNull,
    key: orNull,
    operationId: orNull,
    request: z.object({ method: text, url: text, headers, body }),
    reply: z.object({
      status: count,
      headers,
      body,
      broken: z.enum(['dropped', 'truncated']).nullable(),
      delay: z.number().meta({ description: 'Milliseconds of injected latency.' }),
    }),
    refused: orNull.meta({ description: 'Why the request was refused, as a case of the mock.' }),
    why: orNull.meta({ description: 'Why the request was refused, as text.' }),
    rule: orNull.meta({ description: "The id of the contract's rule behind the refusal." }),
    fault: orNull.meta({ description: 'The id of the fault that affected the request.' }),
  })
  .meta(named('Exchange', 'One request and its reply.'));
export const exchanges = z.object({ ...journalSize.shape, found: count, exchanges: z.array(exchange) });
export const counted = z.object({ count, dropped: count });
export const verification = z
  .object({
    verified: z.boolean(),
    count,
    explanation: text,
    nearMisses: z.array(z.object({ exchange, misses: z.array(text) })),
  })
  .meta(named('Verification', 'Whether the verification succeeded, with an explanation.'));

export const fault = z
  .object({
    id: text,
    spec: faultSpec,
    hits: count,
    remaining: count.nullable().meta({
      description: 'How many requests the fault may still affect. Null for no limit, 0 when its time is over.',
    }),
  })
  .meta(named('Fault', 'A fault of the mock.'));
export const faults = z.object({ faults: z.array(fault) });

const label = z
  .object({ id: text, name: text, visibility: z.enum(['public', 'private']) })
  .meta(named('Label', 'A public or private label.'));
export const labels = z
  .object({ labels: z.array(label) })
  .meta(named('Labels', 'All labels of the record, sorted by name.'));
const tenantShape = {
  name: text,
  description: orNull,
  clonedFrom: orNull.meta({ description: 'The original of a copy; null for a tenant of a seed.' }),
  ...{ keys: count, conversations: count, sites: count, clients: count, links: count, labels: count, files: count },
};
const tenant = z.object(tenantShape).meta(named('Tenant', 'A tenant, with the number of its records.'));
export const tenants = z.object({ tenants: z.array(tenant) });
const carried = { labels: z.array(label) };
export const tenantData = z
  .object({
    ...tenantShape,
    records: z.object({
      ...carried,
      conversations: z.array(z.object({ id: text, friendlyId: orNull, subject: orNull, status: orNull, ...carried })),
      sites: z.array(z.object({ id: text, address1: orNull, city: orNull, businessName: orNull, ...carried })),
      clients: z.array(z.object({ id: text, name: text })),
      links: z.array(z.object({ client: text, site: text, isPrimary: z.boolean(), ...carried })),
    }),
  })
  .meta(named('TenantData', 'A tenant with a short form of its records.'));
const idsByName = z
  .record(text, text)
  .meta(
    named(
      'IdsByName',
      'The ids of the copied records, by the names that records of acme have in tests. Labels of every tenant have names.',
    ),
  );
export const clonedTenant = z
  .object({
    name: text,
    from: text,
    ids: z.record(text, text).meta({ description: 'Maps every id of the original to the id of the copied record.' }),
    conversations: idsByName,
    sites: idsByName,
    clients: idsByName,
    labels: idsByName,
    keys: z
      .record(text, z.object({ id: text, secret: text, revoked: z.boolean() }))
      .meta({ description: 'The keys by their names.' }),
  })
  .meta(named('ClonedTenant', 'The new tenant. Only this reply contains its secrets.'));
export const record = z
  .object({
    id: text,
    reply: z.looseObject({}).meta({ description: 'The reply of the API for this record.' }),
    labels: z.array(label).meta({ description: 'All labels of the record, with private ones.' }),
    conversations: z.array(text).meta({ description: 'Ids of linked records, like the next two properties.' }),
    sites: z.array(text),
    clients: z.array(text),
  })
  .meta(named('Record', 'A conversation, a site or a client.'));

const keyLimit = z.nullable(rateLimit).meta({ description: 'Null means no limit.' });
const keyShape = {
  id: text,
  tenant: text,
  name: text,
  prefix: text.meta({ description: 'The first eight characters of the secret. The rest is never shown again.' }),
  scopes: z.array(text),
  rateLimit: keyLimit,
  ownRateLimit: z.boolean().meta({ description: "Whether the limit is the key's own." }),
  state: z.enum(['ACTIVE', 'REVOKED']),
  createdAt: dateTime,
  lastUsedAt: dateTimeOrNull,
};
export const key = z.object(keyShape).meta(named('Key', 'An API key, without its secret.'));
export const keys = z.object({ keys: z.array(key) });
export const revealedKey = z
  .object({ ...keyShape, secret: text.meta({ description: 'The whole secret. Only this reply contains it.' }) })
  .meta(named('RevealedKey', 'An API key with its secret.'));
const level = z.number().nullable();
const limitShape = {
  id: text,
  tenant: text,
  name: text,
  rateLimit: keyLimit,
  level: level.meta({ description: 'How many requests would pass at once now; null without a limit.' }),
  wait: level.meta({ description: 'Milliseconds until the next request will pass; null without a limit.' }),
  admitted: count.meta({ description: 'Requests that passed in the last minute.' }),
  throttled: count.meta({ description: 'Requests that got 429 in the last minute.' }),
  lastUsedAt: dateTimeOrNull,
};
const limit = z.object(limitShape).meta(named('Limit', 'The bucket of a key.'));
const now = dateTime.meta({ description: 'By the clock of the mock.' });
export const limits = z.object({ now, limits: z.array(limit) });
const moment = z
  .object({
    from: dateTime.meta({ description: 'When the first of these requests was checked.' }),
    to: dateTime.meta({ description: 'When the last of these requests was checked.' }),
    admitted: count,
    throttled: count,
    before: level.meta({ description: 'The level before the first request; null without a limit.' }),
    after: level.meta({ description: 'The level after the last request; null without a limit.' }),
  })
  .meta(named('BucketMoment', 'The requests of a quarter of a second.'));
export const limitDetail = z
  .object({
    now,
    ...limitShape,
    lastMinute: z
      .array(moment)
      .meta({ description: 'Oldest first. Quarters of a second without a request are left out.' }),
  })
  .meta(named('LimitDetail', 'The bucket of a key, and its last minute.'));

export const file = z
  .object({
    fileKey: text,
    tenant: text,
    site: text,
    contentType: text,
    state: z.enum(['started', 'stored', 'registered']),
    name: orNull,
    size: count.nullable(),
    etag: orNull,
    urlExpiresAt: dateTime,
    storedAt: dateTimeOrNull,
    registeredAt: dateTimeOrNull,
  })
  .meta(named('File', 'An upload, finished or not.'));
export const files = z.object({ files: z.array(file) });
