import { z } from 'zod';
import { shapes } from '../arguments/shapes.ts';
import type { Mock } from '../create-mock.ts';
import type { ApiKey } from '../keys/key-ring.ts';
import { count, dateTime, finite, named, nothing, route, tenantFilter, text } from './control-route.ts';

const { rateLimit, newKeyOfTenant, keyEdit } = shapes();

const ofKey = {
  id: text,
  tenant: text,
  name: text,
  rateLimit: z.nullable(rateLimit).meta({ description: 'Null means no limit.' }),
  lastUsedAt: dateTime.nullable(),
};
const keyShape = {
  ...ofKey,
  prefix: text.meta({ description: 'The first eight characters of the secret. The rest is never shown again.' }),
  scopes: z.array(text),
  ownRateLimit: z.boolean().meta({ description: "Whether the limit is the key's own." }),
  state: z.enum(['ACTIVE', 'REVOKED']),
  createdAt: dateTime,
  revokedAt: dateTime.nullable(),
};
export const key = z.object(keyShape).meta(named('Key', 'An API key, without its secret.'));
export const revealedKey = z
  .object({ ...keyShape, secret: text.meta({ description: 'The whole secret. Only this reply contains it.' }) })
  .meta(named('RevealedKey', 'An API key with its secret.'));

const limitShape = {
  ...ofKey,
  level: finite.meta({ description: 'How many requests would pass at once now; null without a limit.' }),
  wait: finite.meta({ description: 'Milliseconds until the next request will pass; null without a limit.' }),
  admitted: count.meta({ description: 'Requests that passed in the last minute.' }),
  throttled: count.meta({ description: 'Requests that got 429 in the last minute.' }),
};
export const limit = z.object(limitShape).meta(named('Limit', 'The bucket of a key.'));
const now = dateTime.meta({ description: 'By the clock of the mock.' });
const moment = z
  .object({
    from: dateTime.meta({ description: 'When the first of these requests was checked.' }),
    to: dateTime.meta({ description: 'When the last of these requests was checked.' }),
    admitted: count,
    throttled: count,
    before: finite.meta({ description: 'The level before the first request; null without a limit.' }),
    after: finite.meta({ description: 'The level after the last request; null without a limit.' }),
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

/** What a reply about a key is written from. */
export function keyInReply({ keys }: Mock, one: ApiKey): z.input<typeof key> {
  const { perSecond, burst } = keys.limitOf(one);
  return {
    ...one,
    rateLimit: Number.isFinite(burst) ? { perSecond, burst } : null,
    ownRateLimit: one.rateLimit !== null,
    state: one.revoked ? 'REVOKED' : 'ACTIVE',
  };
}

function limitInReply(mock: Mock, one: ApiKey, at: number) {
  const described = keyInReply(mock, one);
  const level = one.bucket.level(at);
  const lastMinute = one.bucket.lastMinute(at);
  const sum = (of: 'admitted' | 'throttled') => lastMinute.reduce((all, moment) => all + moment[of], 0);
  return {
    ...described,
    level,
    wait: described.rateLimit && (Math.max(0, 1 - level) / described.rateLimit.perSecond) * 1_000,
    admitted: sum('admitted'),
    throttled: sum('throttled'),
    lastMinute,
  };
}

export const keyRoutes = [
  route('listKeys', 'GET /keys', 'List keys. With revoked keys, which have the state REVOKED.', {
    query: tenantFilter,
    reply: z.object({ keys: z.array(key) }),
    refusals: [404],
    run: ({ mock, query }) => ({ keys: mock.keys.list(query.tenant).map((one) => keyInReply(mock, one)) }),
  }),
  route('createKey', 'POST /keys', 'Create a key. Only this reply contains the secret.', {
    body: newKeyOfTenant,
    reply: revealedKey,
    status: 201,
    refusals: [404, 409],
    run({ mock, body: { tenant, ...options } }) {
      const { key, secret } = mock.keys.create(tenant, options);
      return { ...keyInReply(mock, key), secret };
    },
  }),
  route('getKey', 'GET /keys/{id}', 'Read a key. Without its secret.', {
    reply: key,
    run: ({ mock, param }) => keyInReply(mock, mock.keys.find(param('id'))),
  }),
  route(
    'editKey',
    'PATCH /keys/{id}',
    'Change scopes or limit. Changes neither the secret nor what is used of the bucket.',
    {
      body: keyEdit,
      reply: key,
      refusals: [409],
      run: ({ mock, param, body }) => keyInReply(mock, mock.keys.edit(param('id'), body)),
    },
  ),
  route(
    'regenerateKey',
    'POST /keys/{id}/regenerate',
    'Issue a new secret. The old secret stops working at once. Only this reply contains the new one.',
    {
      body: nothing,
      reply: revealedKey,
      refusals: [409],
      run({ mock, param }) {
        const { key, secret } = mock.keys.regenerate(param('id'));
        return { ...keyInReply(mock, key), secret };
      },
    },
  ),
  route(
    'revokeKey',
    'POST /keys/{id}/revoke',
    'Revoke a key. Takes effect at once and cannot be undone. The key stays listed.',
    { body: nothing, reply: key, run: ({ mock, param }) => keyInReply(mock, mock.keys.revoke(param('id'))) },
  ),
  route('listLimits', 'GET /limits', 'List buckets. Of all keys that are not revoked.', {
    query: tenantFilter,
    reply: z.object({ now, limits: z.array(limit) }),
    refusals: [404],
    run({ mock, query }) {
      const at = mock.clock.now();
      const keys = mock.keys.list(query.tenant).filter(({ revoked }) => !revoked);
      return { now: at, limits: keys.map((one) => limitInReply(mock, one, at)) };
    },
  }),
  route(
    'getLimit',
    'GET /limits/{id}',
    'Read a bucket and its last minute. Admitted and throttled requests and the level, for every quarter of a second.',
    {
      reply: limitDetail,
      run({ mock, param }) {
        const at = mock.clock.now();
        return { now: at, ...limitInReply(mock, mock.keys.find(param('id')), at) };
      },
    },
  ),
];
