import type { ApiReply } from '../../../mock/message.ts';
import type { TenantSeed } from '../../../mock/seed/schema.ts';
import { isOperationId, operations } from '../../../spec/operations.ts';
import type { Values } from '../variables.ts';
import { isRecord, mapObjects, withJson } from './json-replies.ts';
import { changing, nameOf, type Property, propertiesRead } from './reads.ts';
import { spellings } from './spellings.ts';
import type { Used, Variation } from './variation.ts';

const isTop = ({ path }: Property) => !path.includes('.');
const isText = ({ value }: Property) => typeof value === 'string';
const isList = ({ value }: Property) => Array.isArray(value);

/** Strings with values from a set that the contract does not list. */
const open = /(?:^|\.)(?:status|type|urgency|role|serviceLevel)$/;

const succeeds = ({ status }: ApiReply) => status >= 200 && status < 300;

const inSuccesses = (change: Parameters<typeof withJson>[1]) => (reply: ApiReply) =>
  succeeds(reply) ? withJson(reply, change) : reply;

/** Operations whose success status the contract leaves open. */
const otherStatuses = ({ operations: used, profile }: Used) =>
  used.filter((part) => {
    if (part === 'storage') return profile?.upload?.putStatus === undefined;
    const settled = part === 'registerSiteFile' ? profile?.upload?.registerStatus : profile?.operations?.[part]?.status;
    if (settled !== undefined) return false;
    return operations[part].provenance.success !== 'documented' && operations[part].method !== 'GET';
  });

const statusBeside: Readonly<Record<number, number>> = { 200: 201, 201: 200 };

/** More labels than one screen or one page shows. */
function withManyLabels(seeds: readonly TenantSeed[]): TenantSeed[] {
  return seeds.map((seed) => {
    const more = Array.from({ length: 400 }, (_, index) => ({
      id: crypto.randomUUID(),
      // Half of them sort before the other labels, half after them.
      name: `${index % 2 === 0 ? 'a' : 'z'}-label-${index}`,
      visibility: 'public' as const,
    }));
    return { ...seed, labels: [...seed.labels, ...more] };
  });
}

const errorsSeen = ({ requests }: Used) =>
  requests.some(
    ({ status, fault, operation }) => status !== null && status >= 400 && !fault && operation !== 'storage',
  );

/** The site as a part, if the client uses the site of its environment, and there is another one to give it. */
function legacySite({ requests, values }: Used): readonly string[] {
  const { SITE: site, LEGACY_SITE: legacy } = values;
  if (site === undefined || legacy === undefined) return [];
  return requests.some(({ params }) => Object.values(params).includes(site)) ? ['site'] : [];
}

/** The legacy site in place of the site. */
function withLegacySite({ SITE: site, CLIENT: client, ...values }: Values): Values {
  const { LEGACY_SITE: SITE = site, LEGACY_CLIENT: CLIENT = client } = values;
  return { ...values, ...(SITE !== undefined && { SITE }), ...(CLIENT !== undefined && { CLIENT }) };
}

/** Legacy sites with ids that URLs encode; the copy of the tenant keeps their form. */
function withEncodedSite(seeds: readonly TenantSeed[]): readonly TenantSeed[] {
  const encoded = (id: string) => (id.startsWith('ovaid-') ? id : `House ${id}#b`);
  return seeds.map(({ sites, conversations, ...seed }) => ({
    ...seed,
    sites: sites.map((site) => ({ ...site, id: encoded(site.id) })),
    conversations: conversations.map((one) => ({ ...one, ...(one.sites && { sites: one.sites.map(encoded) }) })),
  }));
}

/** Outer and inner fields apart, because what is inside of an absent field is not tried. */
const absent = (id: string, any: string, isAbsent: (property: Property) => boolean): Omit<Variation, 'kind'> => ({
  id,
  rule: 'client/absent-fields',
  when: (part = any) => `${part} is absent`,
  advice: 'Handle its absence: the contract does not promise this field.',
  parts: (used) => propertiesRead(used).filter(isAbsent).map(nameOf),
  arrange: (parts) => ({ reshape: changing(parts, () => undefined) }),
  keepsState: false,
});

/** What the contract leaves open, the fastest to try first. */
export const freedoms: readonly Omit<Variation, 'kind'>[] = [
  {
    id: 'unknown-fields',
    rule: 'client/unknown-fields',
    when: () => 'replies have properties that it does not know',
    advice: 'Ignore properties that you do not know: new ones may be added.',
    parts: () => ['fields'],
    arrange: () => ({
      reshape: inSuccesses((body) => mapObjects(body, (object) => ({ ...object, addedLater: { since: [1, null] } }))),
    }),
  },
  {
    id: 'other-order',
    rule: 'client/any-order',
    when: (part = 'properties or items') => `${part} come in another order`,
    advice: 'Find what you need by its name or id, not by its position.',
    parts: () => ['properties', 'items of lists'],
    arrange: (parts) => ({
      reshape: inSuccesses((body) => {
        const reverse = (value: typeof body): typeof body =>
          parts.includes('items of lists') && Array.isArray(value) ? value.map(reverse).reverse() : value;
        return mapObjects(body, (object) => {
          const entries = Object.entries(object).map(([name, value]) => [name, reverse(value)] as const);
          return Object.fromEntries(parts.includes('properties') ? entries.reverse() : entries);
        });
      }),
    }),
  },
  {
    id: 'spelling',
    rule: 'client/any-spelling',
    when: (part = 'unusual forms that HTTP and JSON allow') => `there are ${part}`,
    advice: 'Let complete libraries read HTTP and JSON.',
    parts: () => Object.keys(spellings),
    arrange: (parts) => ({
      reshape: (reply) => parts.reduce((said, part) => spellings[part]?.reshape?.(said) ?? said, reply),
      wire: (response) => {
        for (const part of parts) spellings[part]?.wire?.(response);
      },
    }),
  },
  {
    id: 'other-values',
    rule: 'client/any-value',
    when: (part = 'a text whose values are not listed') => `${part} has an unknown value`,
    advice: 'Do not treat an unknown value as an error.',
    parts: (used) => [
      ...propertiesRead(used)
        .filter((property) => isText(property) && open.test(property.path))
        .map(nameOf),
      ...(used.operations.includes('getConversationContext') && used.profile?.shapes?.contextLabels === undefined
        ? ['getConversationContext.labels']
        : []),
    ],
    arrange: (parts) => {
      const values = changing(
        parts.filter((part) => part !== 'getConversationContext.labels'),
        () => 'unheard-of',
      );
      // The specification does not say whether these labels are names or ids.
      const labels = changing(
        parts.filter((part) => part === 'getConversationContext.labels'),
        (names: readonly string[]) => names.map(() => crypto.randomUUID()),
      );
      return { reshape: (reply, passing) => labels(values(reply, passing), passing) };
    },
    keepsState: false,
  },
  absent('absent-fields', 'a field of a record', isTop),
  absent('absent-inner-fields', 'a field inside of a record', (property) => !isTop(property)),
  {
    id: 'empty-lists',
    rule: 'client/empty-lists',
    when: (part = 'a list') => `${part} is empty`,
    advice: 'Handle an empty list: a conversation may have no message, site or label.',
    parts: (used) => propertiesRead(used).filter(isList).map(nameOf),
    arrange: (parts) => ({ reshape: changing(parts, () => []) }),
    keepsState: false,
  },
  {
    id: 'other-replies',
    rule: 'client/other-replies',
    when: (part = 'an operation') => `${part} answers with another success status`,
    advice: 'Accept every 2xx where the contract names no status, and do not need the body of a registration.',
    parts: otherStatuses,
    arrange: (parts) => ({
      reshape(reply, { trace }) {
        const part = trace.operationId ?? 'storage';
        if (!succeeds(reply) || !parts.includes(part)) return reply;
        const status = part === 'storage' ? 204 : (statusBeside[reply.status] ?? reply.status);
        const other = { ...reply, status };
        return part === 'registerSiteFile' ? withJson(other, () => ({})) : other;
      },
    }),
  },
  {
    id: 'other-errors',
    rule: 'client/other-errors',
    when: () => 'an error has another code and another message',
    advice: 'Decide by the status: NOT_FOUND is the only code that the specification shows.',
    parts: (used) => (errorsSeen(used) && used.profile?.errors === undefined ? ['errors'] : []),
    arrange: () => ({
      reshape: (reply) =>
        withJson(reply, (body) =>
          isRecord(body) && isRecord(body.error) && body.error.code !== 'NOT_FOUND'
            ? { ...body, error: { ...body.error, code: 'E_4711', message: 'In other words.' } }
            : body,
        ),
    }),
  },
  {
    id: 'many-labels',
    rule: 'client/many-labels',
    when: () => 'there are hundreds of labels',
    advice: 'Read the whole list.',
    parts: ({ operations: used }) => (used.includes('listLabels') ? ['labels'] : []),
    arrange: () => ({ seeds: withManyLabels }),
  },
  {
    id: 'legacy-site',
    rule: 'client/any-site-id',
    when: () => 'the id of the site is a bare number',
    advice: 'Treat the id of a site as a string of any form.',
    parts: legacySite,
    arrange: () => ({ values: withLegacySite }),
    keepsState: false,
  },
  {
    id: 'encoded-site',
    rule: 'client/any-site-id',
    when: () => 'the id of the site has characters that URLs encode',
    advice: 'Encode every id that you put into a path, as encodeURIComponent does.',
    parts: legacySite,
    arrange: () => ({ seeds: withEncodedSite, values: withLegacySite }),
    keepsState: false,
  },
  {
    id: 'least-scopes',
    rule: 'client/least-scopes',
    when: () => 'its key has only the scopes that its operations need',
    advice: 'Look which request is refused: the list of least scopes lacks a scope for it.',
    parts: ({ scopes, operations: used }) => (used.some(isOperationId) ? [`${scopes.length} scopes`] : []),
    arrange: (_, { scopes }) => ({ scopes }),
  },
];
