import { isObject, jsonOf, succeeded } from '../../../conformance/history/exchange.ts';
import type { ApiReply } from '../../../mock/message.ts';
import type { TenantSeed } from '../../../mock/seed/schema.ts';
import { isOperationId, type OperationId, operations } from '../../../spec/operations.ts';
import type { Values } from '../variables.ts';
import { mapProperties, spellings, wires, withText, withValues } from './replies.ts';
import type { Arrangement, Used, Variations } from './variation.ts';

/** Operations that answer a record, and the properties that the contract promises. */
const promised: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  getConversationContext: [],
  getConversation: ['id'],
  getSite: ['id'],
  getClient: ['id', 'name', 'firstName', 'lastName', 'createdAt'],
};

/** The properties in the replies to a client that the contract does not promise, such as `getConversationContext.messages.role`. */
const properties =
  (isMeant: (path: string, value: unknown) => boolean) =>
  ({ requests }: Used): readonly string[] => {
    const found = new Set<string>();
    for (const request of requests) {
      const { operation, status } = request;
      if (operation === null || operation === 'storage' || status !== 200 || !(operation in promised)) continue;
      mapProperties(jsonOf(request), (path, value) => {
        if (!promised[operation]?.includes(path) && isMeant(path, value)) found.add(`${operation}.${path}`);
        return value;
      });
    }
    return [...found];
  };

/** Changes these properties in successful replies. */
const changing =
  (change: (value: unknown) => unknown) =>
  (parts: readonly string[]): Arrangement => ({
    reshape: (reply, operation) =>
      reply.status === 200 && parts.some((part) => part.startsWith(`${operation}.`))
        ? withText((text) =>
            JSON.stringify(
              mapProperties(JSON.parse(text), (path, value) =>
                parts.includes(`${operation}.${path}`) ? change(value) : value,
              ),
            ),
          )(reply)
        : reply,
  });

const isTop = (path: string) => !path.includes('.');

/** Strings with values from a set that the contract does not list. */
const open = /(?:^|\.)(?:status|type|urgency|role|serviceLevel)$/;

/** The specification does not say whether these labels are names or ids. */
const contextLabels = 'getConversationContext.labels';

const inSuccesses = (change: (reply: ApiReply) => ApiReply) => (reply: ApiReply) =>
  succeeded(reply) ? change(reply) : reply;

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
const withManyLabels = (seeds: readonly TenantSeed[]): readonly TenantSeed[] =>
  seeds.map((seed) => {
    const more = Array.from({ length: 400 }, (_, index) => ({
      id: crypto.randomUUID(),
      // Half of them sort before the other labels, half after them.
      name: `${index % 2 === 0 ? 'a' : 'z'}-label-${index}`,
      visibility: 'public' as const,
    }));
    return { ...seed, labels: [...seed.labels, ...more] };
  });

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
const absent = (any: string, isAbsent: (path: string) => boolean): Variations[string] => ({
  rule: 'client/absent-fields',
  when: (part = any) => `${part} is absent`,
  advice: 'Handle a missing field: the contract does not promise it.',
  parts: properties(isAbsent),
  arrange: changing(() => undefined),
  keepsState: false,
});

/** What the contract leaves open, the fastest to try first. */
export const freedoms: Variations = {
  'unknown-fields': {
    rule: 'client/unknown-fields',
    when: () => 'replies have properties that it does not know',
    advice: 'Ignore properties that you do not know: new ones may be added.',
    parts: () => ['fields'],
    arrange: () => ({
      reshape: inSuccesses(
        withValues((value) => (isObject(value) ? { ...value, addedLater: { since: [1, null] } } : value)),
      ),
    }),
  },
  'other-order': {
    rule: 'client/any-order',
    when: (part = 'properties or items') => `${part} come in another order`,
    advice: 'Find what you need by its name or id, not by its position.',
    parts: () => ['properties', 'items of lists'],
    arrange: (parts) => ({
      reshape: inSuccesses(
        withValues((value) => {
          if (Array.isArray(value)) return parts.includes('items of lists') ? value.toReversed() : value;
          if (!isObject(value) || !parts.includes('properties')) return value;
          return Object.fromEntries(Object.entries(value).reverse());
        }),
      ),
    }),
  },
  spelling: {
    rule: 'client/any-spelling',
    when: (part = 'unusual forms that HTTP and JSON allow') => `there are ${part}`,
    advice: 'Let complete libraries read HTTP and JSON.',
    parts: () => [...Object.keys(spellings), ...Object.keys(wires)],
    arrange: (parts) => ({
      reshape: (reply) => parts.reduce((said, part) => spellings[part]?.(said) ?? said, reply),
      wire: (response) => {
        for (const part of parts) wires[part]?.(response);
      },
    }),
  },
  'other-values': {
    rule: 'client/any-value',
    when: (part = 'a text whose values are not listed') => `${part} has an unknown value`,
    advice: 'Do not treat an unknown value as an error.',
    parts: (used) => [
      ...properties((path, value) => typeof value === 'string' && open.test(path))(used),
      ...(used.operations.includes('getConversationContext') && used.profile?.shapes?.contextLabels === undefined
        ? [contextLabels]
        : []),
    ],
    arrange: changing((value) => (Array.isArray(value) ? value.map(() => crypto.randomUUID()) : 'unheard-of')),
    keepsState: false,
  },
  'absent-fields': absent('a field of a record', isTop),
  'absent-inner-fields': absent('a field inside of a record', (path) => !isTop(path)),
  'empty-lists': {
    rule: 'client/empty-lists',
    when: (part = 'a list') => `${part} is empty`,
    advice: 'Handle an empty list: a conversation may have no message, site or label.',
    parts: properties((_, value) => Array.isArray(value)),
    arrange: changing(() => []),
    keepsState: false,
  },
  'other-replies': {
    rule: 'client/other-replies',
    when: (part = 'an operation') => `${part} answers with another success status`,
    advice: 'Accept every 2xx where the contract names no status, and do not need the body of a registration.',
    parts: otherStatuses,
    arrange: (parts) => ({
      reshape(reply, operation) {
        if (!succeeded(reply) || !parts.includes(operation)) return reply;
        if (operation === 'storage') return { ...reply, status: 204 };
        const other = { ...reply, status: statusBeside[reply.status] ?? reply.status };
        return operation === 'registerSiteFile' ? withText(() => '{}')(other) : other;
      },
    }),
  },
  'other-errors': {
    rule: 'client/other-errors',
    when: () => 'an error has another code and another message',
    advice: 'Decide by the status: NOT_FOUND is the only code that the specification shows.',
    parts: ({ requests, profile }) =>
      profile?.errors === undefined &&
      requests.some(({ status, fault, operation }) => (status ?? 0) >= 400 && !fault && operation !== 'storage')
        ? ['errors']
        : [],
    arrange: () => ({
      reshape: withValues((value) =>
        isObject(value) && isObject(value.error) && value.error.code !== 'NOT_FOUND'
          ? { ...value, error: { ...value.error, code: 'E_4711', message: 'In other words.' } }
          : value,
      ),
    }),
  },
  'many-labels': {
    rule: 'client/many-labels',
    when: () => 'there are hundreds of labels',
    advice: 'Read the whole list.',
    parts: ({ operations: used }) => (used.includes('listLabels') ? ['labels'] : []),
    arrange: () => ({ seeds: withManyLabels }),
  },
  'legacy-site': {
    rule: 'client/any-site-id',
    when: () => 'the id of the site is a bare number',
    advice: 'Treat the id of a site as a string of any form.',
    parts: legacySite,
    arrange: () => ({ values: withLegacySite }),
    keepsState: false,
  },
  'encoded-site': {
    rule: 'client/any-site-id',
    when: () => 'the id of the site has characters that URLs encode',
    advice: 'Encode every id that you put into a path, as encodeURIComponent does.',
    parts: legacySite,
    arrange: () => ({ seeds: withEncodedSite, values: withLegacySite }),
    keepsState: false,
  },
  'least-scopes': {
    rule: 'client/least-scopes',
    when: () => 'its key has only the scopes that its operations need',
    advice: 'Look which request is refused: the list of least scopes lacks a scope for it.',
    parts: ({ scopes, operations: used }) => (used.some(isOperationId) ? [`${scopes.length} scopes`] : []),
    arrange: (_, { scopes }) => ({ scopes }),
  },
};
