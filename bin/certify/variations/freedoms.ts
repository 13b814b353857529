import type { ApiReply } from '../../../mock/message.ts';
import type { TenantSeed } from '../../../mock/seed/schema.ts';
import { isOperationId, operations } from '../../../spec/operations.ts';
import { isRecord, mapObjects, withJson } from './json-replies.ts';
import { changing, nameOf, type Property, propertiesRead } from './reads.ts';
import { spellings } from './spellings.ts';
import type { Used, Variation } from './variation.ts';

const isTop = ({ path }: Property) => !path.includes('.');
const isText = ({ value }: Property) => typeof value === 'string';
const isList = ({ value }: Property) => Array.isArray(value);

/** Strings that stand for one of a few values, which the contract does not list. */
const open = /(?:^|\.)(?:status|type|urgency|role|serviceLevel)$/;

const succeeds = ({ status }: ApiReply) => status >= 200 && status < 300;

const inSuccesses = (change: Parameters<typeof withJson>[1]) => (reply: ApiReply) =>
  succeeds(reply) ? withJson(reply, change) : reply;

/** A POST must answer 201 where that is documented. */
const otherStatuses = ({ operations: used, profile }: Used) =>
  used.filter((part) => {
    if (part === 'storage') return profile?.upload?.putStatus === undefined;
    const settled = part === 'registerSiteFile' ? profile?.upload?.registerStatus : profile?.operations?.[part]?.status;
    if (settled !== undefined) return false;
    return operations[part].provenance.success !== 'documented' && operations[part].method !== 'GET';
  });

const statusBeside: Readonly<Record<number, number>> = { 200: 201, 201: 200 };

/** Labels enough for some screens. */
function withManyLabels(seeds: readonly TenantSeed[]): TenantSeed[] {
  return seeds.map((seed) => {
    const more = Array.from({ length: 400 }, (_, index) => ({
      id: crypto.randomUUID(),
      // Half of them come before all others.
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

/** Whether the client named the site that it was told, and can be told another. */
function legacySite({ requests, values }: Used): readonly string[] {
  const { SITE: site, LEGACY_SITE: legacy } = values;
  if (site === undefined || legacy === undefined) return [];
  return requests.some(({ params }) => Object.values(params).includes(site)) ? ['site'] : [];
}

/** What the contract leaves open, the cheapest first. */
export const freedoms: readonly Omit<Variation, 'kind'>[] = [
  {
    id: 'unknown-fields',
    rule: 'client/unknown-fields',
    title: 'properties in every object that the contract does not name',
    when: () => 'replies have properties that it does not know',
    advice: 'Pass over properties that you do not know: others may be added.',
    parts: () => ['fields'],
    arrange: () => ({
      reshape: inSuccesses((body) => mapObjects(body, (object) => ({ ...object, addedLater: { since: [1, null] } }))),
    }),
  },
  {
    id: 'other-order',
    rule: 'client/any-order',
    title: 'properties and lists the other way round',
    when: (part) => `${part} come in another order`,
    advice: 'Look for what you need by its name or id, not by its place.',
    parts: () => ['properties', 'items of lists'],
    arrange: (parts) => ({
      reshape: inSuccesses((body) => {
        let changed = body;
        if (parts.includes('properties')) {
          changed = mapObjects(changed, (object) => Object.fromEntries(Object.entries(object).reverse()));
        }
        if (parts.includes('items of lists')) {
          const reverse = (value: typeof body): typeof body =>
            Array.isArray(value) ? value.map(reverse).reverse() : value;
          changed = mapObjects(changed, (object) =>
            Object.fromEntries(Object.entries(object).map(([name, value]) => [name, reverse(value)])),
          );
        }
        return changed;
      }),
    }),
  },
  {
    id: 'spelling',
    rule: 'client/any-spelling',
    title: 'the same said in other ways that HTTP and JSON allow',
    when: (part) => `there are ${part}`,
    advice: 'Leave the reading of HTTP and JSON to a library that knows all of both.',
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
    title: 'values of open strings that nobody has seen before',
    when: (part) => `\`${part}\` has a value that it has not seen before`,
    advice: 'Treat a value that you do not know as one more, not as an error.',
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
      // Whether they are names or ids is not shown.
      const labels = changing(
        parts.filter((part) => part === 'getConversationContext.labels'),
        (names: readonly string[]) => names.map(() => crypto.randomUUID()),
      );
      return { reshape: (reply, passing) => labels(values(reply, passing), passing) };
    },
    keepsState: false,
  },
  {
    id: 'absent-fields',
    rule: 'client/absent-fields',
    title: 'records without any field that the contract does not promise',
    when: (part) => `\`${part}\` is absent`,
    advice: 'Do without it: the contract does not say that it is always there.',
    parts: (used) => propertiesRead(used).filter(isTop).map(nameOf),
    arrange: (parts) => ({ reshape: changing(parts, () => undefined) }),
    keepsState: false,
  },
  {
    id: 'absent-inner-fields',
    rule: 'client/absent-fields',
    title: 'objects inside of records without any field that the contract does not promise',
    when: (part) => `\`${part}\` is absent`,
    advice: 'Do without it: the contract does not say that it is always there.',
    parts: (used) =>
      propertiesRead(used)
        .filter((property) => !isTop(property))
        .map(nameOf),
    arrange: (parts) => ({ reshape: changing(parts, () => undefined) }),
    keepsState: false,
  },
  {
    id: 'empty-lists',
    rule: 'client/empty-lists',
    title: 'lists in records with nothing in them',
    when: (part) => `\`${part}\` is empty`,
    advice: 'Take an empty list as one: a conversation may have no message, site or label.',
    parts: (used) => propertiesRead(used).filter(isList).map(nameOf),
    arrange: (parts) => ({ reshape: changing(parts, () => []) }),
    keepsState: false,
  },
  {
    id: 'other-replies',
    rule: 'client/other-replies',
    title: 'other statuses of success, and a registration that says nothing',
    when: (part) => `${part} answers with another status of success`,
    advice: 'Take every 2xx for a success where the contract names no status, and need no body of a registration.',
    parts: otherStatuses,
    arrange: (parts) => ({
      reshape(reply, { trace }) {
        const part = trace.operationId ?? 'storage';
        if (!succeeds(reply) || !parts.includes(part)) return reply;
        const { recurring: _, ...once } = reply;
        const other = { ...once, status: part === 'storage' ? 204 : (statusBeside[reply.status] ?? reply.status) };
        return part === 'registerSiteFile' ? withJson(other, () => ({})) : other;
      },
    }),
  },
  {
    id: 'other-errors',
    rule: 'client/other-errors',
    title: 'other codes and words in error bodies',
    when: () => 'an error has another code and other words',
    advice: 'Decide by the status: codes beside NOT_FOUND and messages are not shown.',
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
    title: 'hundreds of labels',
    when: () => 'there are hundreds of labels',
    advice: 'Go through the whole list.',
    parts: ({ operations: used }) => (used.includes('listLabels') ? ['labels'] : []),
    arrange: () => ({ seeds: withManyLabels }),
  },
  {
    id: 'legacy-site',
    rule: 'client/any-site-id',
    title: 'a site whose id is a bare number',
    when: () => 'the id of the site is a bare number',
    advice: 'Take the id of a site as text, whatever its form.',
    parts: legacySite,
    arrange: () => ({
      values: ({ SITE: site, CLIENT: client, ...values }) => {
        const { LEGACY_SITE: SITE = site, LEGACY_CLIENT: CLIENT = client } = values;
        return { ...values, ...(SITE !== undefined && { SITE }), ...(CLIENT !== undefined && { CLIENT }) };
      },
    }),
    keepsState: false,
  },
  {
    id: 'least-scopes',
    rule: 'client/least-scopes',
    title: 'a key with the scopes that its operations need, and no more',
    when: () => 'its key has only the scopes that its operations need',
    advice: 'See which request is refused: the line of least scopes lacks what that one needs.',
    parts: ({ scopes, operations: used }) => (used.some(isOperationId) ? [`${scopes.length} scopes`] : []),
    arrange: (_, { scopes }) => ({ scopes }),
  },
  {
    id: 'long-retry-after',
    rule: 'client/survives-throttling',
    title: 'a Retry-After of two seconds, with capitals in its name',
    when: () => 'Retry-After asks for two seconds',
    advice: 'Read Retry-After each time, as seconds, and wait for it.',
    parts: ({ operations: used, profile }) =>
      profile?.limits?.retryAfter === undefined ? used.filter(isOperationId).slice(0, 1) : [],
    arrange: (parts) => ({
      reshape(reply) {
        const { 'retry-after': seconds, ...headers } = reply.headers;
        const { recurring: _, ...once } = reply;
        return seconds === undefined ? reply : { ...once, headers: { ...headers, 'Retry-After': seconds } };
      },
      prepare: ({ mock }) => {
        for (const operationId of parts.filter(isOperationId)) {
          mock.faults.add({ operationId, reply: { status: 429, retryAfter: 2 }, times: 1 });
        }
      },
    }),
  },
];
