import { bucketView, momentView } from '../bucket-view.ts';
import { route } from '../control-route.ts';
import { keyEdit, newKey, nothing, tenantFilter } from '../schemas.ts';
import { dateTime, keyView } from '../views.ts';

export const keyRoutes = [
  route({
    method: 'get',
    path: '/keys',
    query: tenantFilter,
    run: ({ mock, query }) => ({
      keys: (query.tenant === undefined ? mock.keys.list() : mock.keys.list(query.tenant)).map((key) =>
        keyView(mock, key),
      ),
    }),
  }),
  route({
    method: 'post',
    path: '/keys',
    body: newKey,
    status: 201,
    run({ mock, body: { tenant, ...options } }) {
      const { key, secret } = mock.keys.create(tenant, options);
      return { ...keyView(mock, key), secret };
    },
  }),
  route({
    method: 'get',
    path: '/keys/{id}',

    run: ({ mock, param }) => keyView(mock, mock.keys.find(param('id'))),
  }),
  route({
    method: 'patch',
    path: '/keys/{id}',
    body: keyEdit,
    run: ({ mock, param, body }) => keyView(mock, mock.keys.edit(param('id'), body)),
  }),
  route({
    method: 'post',
    path: '/keys/{id}/regenerate',
    body: nothing,
    run({ mock, param }) {
      const { key, secret } = mock.keys.regenerate(param('id'));
      return { ...keyView(mock, key), secret };
    },
  }),
  route({
    method: 'post',
    path: '/keys/{id}/revoke',
    body: nothing,
    run: ({ mock, param }) => keyView(mock, mock.keys.revoke(param('id'))),
  }),
  route({
    method: 'get',
    path: '/limits',
    query: tenantFilter,
    run({ mock, query }) {
      const now = mock.clock.now();
      const keys = (query.tenant === undefined ? mock.keys.list() : mock.keys.list(query.tenant)).filter(
        (key) => !key.revoked,
      );
      return { now: dateTime(now), limits: keys.map((key) => bucketView(mock, key, now)) };
    },
  }),
  route({
    method: 'get',
    path: '/limits/{id}',

    run({ mock, param }) {
      const now = mock.clock.now();
      const key = mock.keys.find(param('id'));
      return {
        now: dateTime(now),
        ...bucketView(mock, key, now),
        lastMinute: key.bucket.lastMinute(now).map(momentView),
      };
    },
  }),
];
