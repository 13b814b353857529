import type { HolderRef } from '../../store/label-holder.ts';
import { type ControlCall, route } from '../control-route.ts';
import { clientView, conversationView, siteView } from '../record-view.ts';
import { newTenant, recordsQuery } from '../schemas.ts';
import { tenantData } from '../tenant-data.ts';
import { tenantView } from '../views.ts';

type Call = Pick<ControlCall<unknown, unknown>, 'param'>;

/** The three kinds of records that have labels, with their paths in the API. */
const holders: readonly { readonly path: string; readonly ref: (call: Call) => HolderRef }[] = [
  { path: '/conversation/{id}', ref: ({ param }) => ({ conversation: param('id') }) },
  { path: '/site/{id}', ref: ({ param }) => ({ site: param('id') }) },
  {
    path: '/client/{clientId}/site/{siteId}',
    ref: ({ param }) => ({ client: param('clientId'), site: param('siteId') }),
  },
];

export const tenantRoutes = [
  route({
    method: 'get',
    path: '/tenants',

    run: ({ mock }) => ({ tenants: [...mock.tenants.values()].map((tenant) => tenantView(mock, tenant)) }),
  }),
  route({
    method: 'post',
    path: '/tenants',
    body: newTenant,
    status: 201,
    run: ({ mock, body }) => mock.tenants.create(body),
  }),
  route({
    method: 'get',
    path: '/tenants/{tenant}',
    query: recordsQuery,
    run: ({ mock, param, query }) => tenantData(mock, mock.tenant(param('tenant')), query),
  }),
  route({
    method: 'delete',
    path: '/tenants/{tenant}',

    run: ({ mock, param }) => mock.tenants.remove(param('tenant')),
  }),
];

/** Routes that show one record. */
export const recordRoutes = [
  { path: '/conversation/{id}', view: conversationView },
  { path: '/site/{id}', view: siteView },
  { path: '/client/{id}', view: clientView },
].map(({ path, view }) =>
  route({
    method: 'get',
    path: `/tenants/{tenant}${path}`,

    run: ({ mock, param }) => view(mock.tenant(param('tenant')), param('id')),
  }),
);

/** Routes for labels that act like the product: they show and change private labels too. */
export const labelRoutes = holders.flatMap(({ path, ref }) => [
  route({
    method: 'get',
    path: `/tenants/{tenant}${path}/labels`,

    run: (call) => ({ labels: call.mock.labels.of(call.param('tenant'), ref(call)) }),
  }),
  route({
    method: 'put',
    path: `/tenants/{tenant}${path}/label/{labelId}`,

    run: (call) => ({ labels: call.mock.labels.apply(call.param('tenant'), ref(call), call.param('labelId')) }),
  }),
  route({
    method: 'delete',
    path: `/tenants/{tenant}${path}/label/{labelId}`,

    run: (call) => ({ labels: call.mock.labels.remove(call.param('tenant'), ref(call), call.param('labelId')) }),
  }),
]);
