import { strictObject, z } from 'zod';
import type { Mock } from '../create-mock.ts';
import { clientDetails, contextOf, siteDetails } from '../store/record-bodies.ts';
import type { HolderRef, LabelHolder } from '../store/records.ts';
import type { Tenant } from '../store/tenant.ts';
import { type ControlCall, count, given, named, or, orNull, route, text } from './control-route.ts';
import { limit } from './journal.ts';

const label = z
  .object({ id: text, name: text, visibility: z.enum(['public', 'private']) })
  .meta(named('Label', 'A public or private label.'));
const carried = { labels: z.array(label) };
const tenantShape = {
  name: text,
  description: orNull,
  clonedFrom: orNull.meta({ description: 'The original of a copy; null for a tenant of a seed.' }),
  ...{ keys: count, conversations: count, sites: count, clients: count, links: count, labels: count, files: count },
};
export const tenant = z.object(tenantShape).meta(named('Tenant', 'A tenant, with the number of its records.'));

const briefly = {
  conversation: z.object({ id: text, friendlyId: orNull, subject: orNull, status: orNull, ...carried }),
  site: z.object({ id: text, address1: orNull, city: orNull, businessName: orNull, ...carried }),
  client: z.object({ id: text, name: text }),
  link: z.object({ client: text, site: text, isPrimary: or(z.boolean(), false), ...carried }),
};
export const tenantData = z
  .object({
    ...tenantShape,
    records: z.object({
      ...carried,
      conversations: z.array(briefly.conversation),
      sites: z.array(briefly.site),
      clients: z.array(briefly.client),
      links: z.array(briefly.link),
    }),
  })
  .meta(named('TenantData', 'A tenant with a short form of its records.'));
const linked = or(z.array(text), []);
export const record = z
  .object({
    id: text,
    reply: z.looseObject({}).meta({ description: 'The reply of the API for this record.' }),
    labels: or(z.array(label), []).meta({ description: 'All labels of the record, with private ones.' }),
    conversations: linked.meta({ description: 'Ids of linked records, like the next two properties.' }),
    sites: linked,
    clients: linked,
  })
  .meta(named('Record', 'A conversation, a site or a client.'));

const idsByName = z
  .record(text, text)
  .meta(
    named(
      'IdsByName',
      'The ids of the copied records, by the names that records of acme have in tests. Labels of every tenant have names.',
    ),
  );
const clonedTenant = z
  .object({
    name: text,
    from: text,
    ids: z.record(text, text).meta({ description: 'Maps every id of the original to the id of the copied record.' }),
    ...{ conversations: idsByName, sites: idsByName, clients: idsByName, labels: idsByName },
    keys: z
      .record(text, z.object({ id: text, secret: text, revoked: z.boolean() }))
      .meta({ description: 'The keys by their names.' }),
  })
  .meta(named('ClonedTenant', 'The new tenant. Only this reply contains its secrets.'));

const counted = (mock: Mock, { name, records, files, clonedFrom }: Tenant) => ({
  name,
  description: records.seed.description,
  clonedFrom,
  keys: mock.keys.list(name).length,
  conversations: records.conversations.size,
  sites: records.sites.size,
  clients: records.clients.size,
  links: records.links.size,
  labels: records.labels.size,
  files: files.size,
});

/** The first records whose short form contains the text. */
function some<Kind extends z.ZodType>(
  brief: Kind,
  records: Iterator<object>,
  { limit = Number.POSITIVE_INFINITY, text = '' }: z.output<typeof recordsQuery>,
): z.output<Kind>[] {
  const hasText = (value: unknown): boolean =>
    Array.isArray(value)
      ? value.some((label) => hasText(label.name))
      : typeof value === 'string' && value.toLowerCase().includes(text.toLowerCase());
  const shown = Iterator.from(records).map((one) => brief.parse(one));
  return shown
    .filter((one) => Object.values(one as object).some(hasText))
    .take(limit)
    .toArray();
}

const recordsQuery = strictObject({
  limit: limit.meta({
    description: 'How many records of each kind at most; all by default. Labels are always complete.',
  }),
  text: given.optional().meta({
    description:
      'Returns only records whose id or name, or the name of a label of theirs, contains this text, ignoring case.',
  }),
});

const tenantRoutes = [
  route('listTenants', 'GET /tenants', 'List tenants. Tenants of the seeds, and copies.', {
    reply: z.object({ tenants: z.array(tenant) }),
    run: ({ mock }) => ({ tenants: [...mock.tenants.values()].map((one) => counted(mock, one)) }),
  }),
  route(
    'createTenant',
    'POST /tenants',
    "Copy a tenant. The copy has the data of the original's seed, with new ids and keys.",
    {
      body: strictObject({
        from: given.meta({ description: 'The tenant to copy.' }),
        name: given.optional().meta({
          description: 'Lower-case letters, digits and hyphens. Without it the mock chooses a free name.',
        }),
      }).meta(named('NewTenant', 'A new copy of a tenant.')),
      reply: clonedTenant,
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
      reply: tenantData,
      run({ mock, param, query }) {
        const one = mock.tenant(param('tenant'));
        const { labels, conversations, sites, clients, links } = one.records;
        const labelled = (holder: LabelHolder) => ({
          ...holder,
          labels: one.allLabelsOf(holder),
        });
        return {
          ...counted(mock, one),
          records: {
            labels: [...labels.values()],
            conversations: some(briefly.conversation, conversations.values().map(labelled), query),
            sites: some(briefly.site, sites.values().map(labelled), query),
            clients: some(briefly.client, clients.values(), query),
            links: some(briefly.link, links.values().map(labelled), query),
          },
        };
      },
    },
  ),
  route(
    'removeTenant',
    'DELETE /tenants/{tenant}',
    'Remove a tenant. Removes its keys and files too. A reset brings back a tenant of a seed.',
    { run: ({ mock, param }) => mock.tenants.remove(param('tenant')) },
  ),
];

/** The three kinds of records: the reply of the API, all labels with private ones, and the ids of linked records. */
const shown: Readonly<Record<string, (tenant: Tenant, id: string) => object>> = {
  conversation(tenant, id) {
    const one = tenant.conversations.existing(id);
    const { sites, participants } = one;
    const labels = tenant.allLabelsOf(one);
    return { id: one.id, reply: contextOf(tenant, one), labels, sites, clients: participants?.clients };
  },
  site(tenant, id) {
    const one = tenant.sites.existing(id);
    return {
      id,
      reply: siteDetails(tenant, one),
      labels: tenant.allLabelsOf(one),
      conversations: idsOf(tenant.records.conversationsOfSite(id)),
      clients: one.clients?.map(({ client }) => client),
    };
  },
  client(tenant, id) {
    const { conversations, sites } = tenant.records.seed;
    // A client has no labels. Only its links to sites have.
    return {
      id,
      reply: clientDetails(tenant.clients.existing(id)),
      conversations: idsOf(conversations.filter(({ participants }) => participants?.clients?.includes(id))),
      sites: idsOf(sites.filter(({ clients }) => clients?.some(({ client }) => client === id))),
    };
  },
};

const idsOf = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id);

const recordRoutes = Object.entries(shown).map(([kind, view]) =>
  route(
    `getRecordOf${kind.charAt(0).toUpperCase()}${kind.slice(1)}`,
    `GET /tenants/{tenant}/${kind}/{id}`,
    `Read a ${kind}. With what the API answers, all labels, and linked records.`,
    { reply: record, run: ({ mock, param }) => view(mock.tenant(param('tenant')), param('id')) },
  ),
);

type Call = Pick<ControlCall<unknown, unknown>, 'param'>;

/** The three kinds of records that have labels, with their paths in the API. */
const holders: readonly (readonly [kind: string, path: `/${string}`, ref: (call: Call) => HolderRef])[] = [
  ['Conversation', '/conversation/{id}', ({ param }) => ({ conversation: param('id') })],
  ['Site', '/site/{id}', ({ param }) => ({ site: param('id') })],
  ['Link', '/client/{clientId}/site/{siteId}', ({ param }) => ({ client: param('clientId'), site: param('siteId') })],
];

const labels = z.object(carried).meta(named('Labels', 'All labels of the record, sorted by name.'));
const asTheProduct = 'As the product does, so private labels are allowed.';

/** Routes for labels that act like the product: they show and change private labels too. */
export const labelRoutes = holders.flatMap(([kind, path, ref]) => {
  const at = `/tenants/{tenant}${path}` as const;
  return [
    route(`list${kind}Labels`, `GET ${at}/labels`, 'List the labels of a record. With private labels.', {
      reply: labels,
      run: (call) => ({ labels: call.mock.labels.of(call.param('tenant'), ref(call)) }),
    }),
    route(`put${kind}Label`, `PUT ${at}/label/{labelId}`, `Apply a label to a record. ${asTheProduct}`, {
      reply: labels,
      run: (call) => ({ labels: call.mock.labels.apply(call.param('tenant'), ref(call), call.param('labelId')) }),
    }),
    route(`take${kind}Label`, `DELETE ${at}/label/{labelId}`, `Remove a label from a record. ${asTheProduct}`, {
      reply: labels,
      run: (call) => ({ labels: call.mock.labels.remove(call.param('tenant'), ref(call), call.param('labelId')) }),
    }),
  ];
});

export const allTenantRoutes = [...tenantRoutes, ...recordRoutes];
