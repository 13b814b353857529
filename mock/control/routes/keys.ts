import { shapes } from '../../arguments/shapes.ts';
import { bucketView, momentView } from '../bucket-view.ts';
import { route } from '../control-route.ts';
import * as replies from '../replies.ts';
import { nothing, tenantFilter } from '../schemas.ts';
import { dateTime, keyView } from '../views.ts';

export const keyRoutes = [
  route('listKeys', 'GET /keys', 'List keys. With revoked keys, which have the state REVOKED.', {
    query: tenantFilter,
    reply: replies.keys,
    refusals: [404],
    run: ({ mock, query }) => ({
      keys: (query.tenant === undefined ? mock.keys.list() : mock.keys.list(query.tenant)).map((key) =>
        keyView(mock, key),
      ),
    }),
  }),
  route('createKey', 'POST /keys', 'Create a key. Only this reply contains the secret.', {
    body: shapes().newKeyOfTenant,
    reply: replies.revealedKey,
    status: 201,
    refusals: [404, 409],
    run({ mock, body: { tenant, ...options } }) {
      const { key, secret } = mock.keys.create(tenant, options);
      return { ...keyView(mock, key), secret };
    },
  }),
  route('getKey', 'GET /keys/{id}', 'Read a key. Without its secret.', {
    reply: replies.key,
    run: ({ mock, param }) => keyView(mock, mock.keys.find(param('id'))),
  }),
  route(
    'editKey',
    'PATCH /keys/{id}',
    'Change scopes or limit. Changes neither the secret nor what is used of the bucket.',
    {
      body: shapes().keyEdit,
      reply: replies.key,
      refusals: [409],
      run: ({ mock, param, body }) => keyView(mock, mock.keys.edit(param('id'), body)),
    },
  ),
  route(
    'regenerateKey',
    'POST /keys/{id}/regenerate',
    'Issue a new secret. The old secret stops working at once. Only this reply contains the new one.',
    {
      body: nothing,
      reply: replies.revealedKey,
      refusals: [409],
      run({ mock, param }) {
        const { key, secret } = mock.keys.regenerate(param('id'));
        return { ...keyView(mock, key), secret };
      },
    },
  ),
  route(
    'revokeKey',
    'POST /keys/{id}/revoke',
    'Revoke a key. Takes effect at once and cannot be undone. The key stays listed.',
    { body: nothing, reply: replies.key, run: ({ mock, param }) => keyView(mock, mock.keys.revoke(param('id'))) },
  ),
  route('listLimits', 'GET /limits', 'List buckets. Of all keys that are not revoked.', {
    query: tenantFilter,
    reply: replies.limits,
    refusals: [404],
    run({ mock, query }) {
      const now = mock.clock.now();
      const keys = (query.tenant === undefined ? mock.keys.list() : mock.keys.list(query.tenant)).filter(
        (key) => !key.revoked,
      );
      return { now: dateTime(now), limits: keys.map((key) => bucketView(mock, key, now)) };
    },
  }),
  route(
    'getLimit',
    'GET /limits/{id}',
    'Read a bucket and its last minute. Admitted and throttled requests and the level, for every quarter of a second.',
    {
      reply: replies.limitDetail,
      run({ mock, param }) {
        const now = mock.clock.now();
        const key = mock.keys.find(param('id'));
        return {
          now: dateTime(now),
          ...bucketView(mock, key, now),
          lastMinute: key.bucket.lastMinute(now).map(momentView),
        };
      },
    },
  ),
];
