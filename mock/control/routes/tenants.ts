import type { HolderRef } from '../../store/records.ts';
import type { Tenant } from '../../store/tenant.ts';
import { type ControlCall, route } from '../control-route.ts';
import { clientView, conversationView, siteView } from '../record-view.ts';
import * as replies from '../replies.ts';
import { newTenant, recordsQuery } from '../schemas.ts';
import { tenantData } from '../tenant-data.ts';
import { tenantView } from '../views.ts';

export const tenantRoutes = [
  route('listTenants', 'GET /tenants', 'List tenants. Tenants of the seeds, and copies.', {
    reply: replies.tenants,
    run: ({ mock }) => ({ tenants: [...mock.tenants.values()].map((tenant) => tenantView(mock, tenant)) }),
  }),
  route(
    'createTenant',
    'POST /tenants',
    "Copy a tenant. The copy has the data of the original's seed, with new ids and keys.",
    {
      body: newTenant,
      reply: replies.clonedTenant,
      status: 201,
      refusals: [404, 409],
      run: ({ mock, body }) => mock.tenants.create(body),
    },
  ),
  route(
    'getTenant',
    'GET /tenants/{tenant}',
    'Read a tenant. With a short form of its records, and with private labels.',
    {
      query: recordsQuery,
      reply: replies.tenantData,
      run: ({ mock, param, query }) => tenantData(mock, mock.tenant(param('tenant')), query),
    },
  ),
  route(
    'removeTenant',
    'DELETE /tenants/{tenant}',
    'Remove a tenant. Removes its keys and files too. A reset brings back a tenant of a seed.',
    { run: ({ mock, param }) => mock.tenants.remove(param('tenant')) },
  ),
];

const recordRoute = (id: string, path: `/${string}`, says: string, view: (tenant: Tenant, id: string) => unknown) =>
  route(id, `GET /tenants/{tenant}${path}`, says, {
    reply: replies.record,
    run: ({ mock, param }) => view(mock.tenant(param('tenant')), param('id')),
  });

/** Routes that show one record. */
export const recordRoutes = [
  recordRoute(
    'getRecordOfConversation',
    '/conversation/{id}',
    'Read a conversation. With the context that the API answers, all labels, and linked records.',
    conversationView,
  ),
  recordRoute(
    'getRecordOfSite',
    '/site/{id}',
    'Read a site. With the details that the API answers, all labels, and linked records.',
    siteView,
  ),
  recordRoute(
    'getRecordOfClient',
    '/client/{id}',
    'Read a client. With the details that the API answers, and linked records.',
    clientView,
  ),
];

type Call = Pick<ControlCall<unknown, unknown>, 'param'>;

/** The three kinds of records that have labels, with their paths in the API. */
const holders: readonly (readonly [kind: string, path: `/${string}`, ref: (call: Call) => HolderRef])[] = [
  ['Conversation', '/conversation/{id}', ({ param }) => ({ conversation: param('id') })],
  ['Site', '/site/{id}', ({ param }) => ({ site: param('id') })],
  ['Link', '/client/{clientId}/site/{siteId}', ({ param }) => ({ client: param('clientId'), site: param('siteId') })],
];

/** Routes for labels that act like the product: they show and change private labels too. */
export const labelRoutes = holders.flatMap(([kind, path, ref]) => [
  route(
    `list${kind}Labels`,
    `GET /tenants/{tenant}${path}/labels`,
    'List the labels of a record. With private labels.',
    {
      reply: replies.labels,
      run: (call) => ({ labels: call.mock.labels.of(call.param('tenant'), ref(call)) }),
    },
  ),
  route(
    `put${kind}Label`,
    `PUT /tenants/{tenant}${path}/label/{labelId}`,
    'Apply a label to a record. As the product does, so private labels are allowed.',
    {
      reply: replies.labels,
      run: (call) => ({ labels: call.mock.labels.apply(call.param('tenant'), ref(call), call.param('labelId')) }),
    },
  ),
  route(
    `take${kind}Label`,
    `DELETE /tenants/{tenant}${path}/label/{labelId}`,
    'Remove a label from a record. As the product does, so private labels are allowed.',
    {
      reply: replies.labels,
      run: (call) => ({ labels: call.mock.labels.remove(call.param('tenant'), ref(call), call.param('labelId')) }),
    },
  ),
]);
