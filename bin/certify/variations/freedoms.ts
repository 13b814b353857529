import { isObject, jsonOf, succeeded, valuesOf } from '../../../conformance/history/exchange.ts';
import type { BodyChanges } from '../../../mock/profile/body-changes.ts';
import type { TenantSeed } from '../../../mock/seed/schema.ts';
import { isOperationId, type OperationId, operations } from '../../../spec/operations.ts';
import { anError } from '../duties/duty.ts';
import type { SentRequest } from '../traffic.ts';
import type { Values } from '../variables.ts';
import { spellings, withValues } from './replies.ts';
import { type Arrangement, eachOf, type Parts, type Used, type Variations } from './variation.ts';

/** Operations that answer a record, and the properties that the contract promises. */
const promised: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  getConversationContext: [],
  getConversation: ['id'],
  getSite: ['id'],
  getClient: ['id', 'name', 'firstName', 'lastName', 'createdAt'],
};

/** Every value in the successful replies to a client, at its place as profiles name it: `messages[].role`. */
const shown = ({ requests }: Used) =>
  requests.flatMap((request) => {
    const { operation } = request;
    if (operation === null || operation === 'storage' || !succeeded(request)) return [];
    return valuesOf(jsonOf(request)).map(([path, value]) => {
      const steps = path.map((step) => (typeof step === 'number' ? '[]' : `.${step}`));
      return { operation, at: steps.join('').replace(/^\./, ''), value };
    });
  });

/** The properties of records that the contract does not promise, such as `getConversationContext.messages[].role`, each changed. */
const changing =
  (isMeant: (at: string, value: unknown) => boolean, change: (at: string) => BodyChanges) =>
  (used: Used): Parts =>
    Object.fromEntries(
      shown(used).flatMap(({ operation, at, value }) => {
        const { [operation]: known = [at] } = promised;
        if (known.includes(at) || !/[^\]]$/.test(at) || !isMeant(at, value)) return [];
        return [[`${operation}.${at}`, { profile: { bodies: { [operation]: change(at) } } }]];
      }),
    );

const isTop = (path: string) => !path.includes('.');

/** Strings with values from a set that the contract does not list. */
const open = /(?:^|\.)(?:status|type|urgency|role|serviceLevel)$/;

/** Each value of a success is replaced, the inner ones first. */
const replaced = (change: (value: unknown) => unknown): Arrangement => ({
  reshape: (reply) => (succeeded(reply) ? withValues(change)(reply) : reply),
});

/** Other success statuses than the mock's, where the contract and the profile leave them open, and a registration without a body. */
function otherStatuses(used: Used): Parts {
  const { upload = {}, operations: settled = {} } = used.profile ?? {};
  const isOpen = (part: OperationId) =>
    operations[part].provenance.success !== 'documented' &&
    operations[part].method !== 'GET' &&
    (settled[part]?.status ?? (part === 'registerSiteFile' ? upload.registerStatus : undefined)) === undefined;
  const omit = shown(used).flatMap(({ operation, at }) => (operation === 'registerSiteFile' && at ? at : []));
  return eachOf(
    used.operations.filter((part) => (part === 'storage' ? upload.putStatus === undefined : isOpen(part))),
    (part) => {
      if (part === 'storage') return { profile: { upload: { putStatus: 204 } } };
      const status = operations[part].success === 200 ? 201 : 200;
      const bodies = part === 'registerSiteFile' ? { [part]: { omit } } : {};
      return { profile: { operations: { [part]: { status } }, bodies } };
    },
  );
}

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

/** With the legacy site in place of the site, if the client uses that of its environment, and there is another one to give it. */
function legacySite({ requests, values }: Used, seeds?: Arrangement['seeds']): Parts {
  const { SITE: site, LEGACY_SITE: legacy } = values;
  if (site === undefined || legacy === undefined) return {};
  const isUsed = requests.some(({ params }) => Object.values(params).includes(site));
  return isUsed ? { site: { values: withLegacySite, ...(seeds && { seeds }) } } : {};
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
  needs: 'read a record',
  parts: changing(isAbsent, (at) => ({ omit: [at] })),
  keepsState: false,
});

/** What the contract leaves open, the fastest to try first. */
export const freedoms: Variations = {
  'unknown-fields': {
    rule: 'client/unknown-fields',
    when: () => 'replies have properties that it does not know',
    advice: 'Ignore properties that you do not know: new ones may be added.',
    parts: () => ({
      fields: replaced((value) => (isObject(value) ? { ...value, addedLater: { since: [1, null] } } : value)),
    }),
  },
  'other-order': {
    rule: 'client/any-order',
    when: (part = 'properties or items') => `${part} come in another order`,
    advice: 'Find what you need by its name or id, not by its position.',
    parts: () => ({
      properties: replaced((value) => (isObject(value) ? Object.fromEntries(Object.entries(value).reverse()) : value)),
      'items of lists': replaced((value) => (Array.isArray(value) ? value.toReversed() : value)),
    }),
  },
  spelling: {
    rule: 'client/any-spelling',
    when: (part = 'unusual forms that HTTP and JSON allow') => `there are ${part}`,
    advice: 'Let complete libraries read HTTP and JSON.',
    parts: () => spellings,
  },
  'other-values': {
    rule: 'client/any-value',
    when: (part = 'a text whose values are not listed') => `${part} has an unknown value`,
    advice: 'Do not treat an unknown value as an error.',
    needs: 'read a record',
    parts: (used) => ({
      ...changing(
        (at, value) => typeof value === 'string' && open.test(at),
        (at) => ({ replace: { [at]: 'unheard-of' } }),
      )(used),
      // The specification does not say whether these are names.
      ...(used.operations.includes('getConversationContext') &&
        used.profile?.shapes?.contextLabels === undefined && {
          'getConversationContext.labels': { profile: { shapes: { contextLabels: 'ids' } } },
        }),
    }),
    keepsState: false,
  },
  'absent-fields': absent('a field of a record', isTop),
  'absent-inner-fields': absent('a field inside of a record', (path) => !isTop(path)),
  'empty-lists': {
    rule: 'client/empty-lists',
    when: (part = 'a list') => `${part} is empty`,
    advice: 'Handle an empty list: a conversation may have no message, site or label.',
    needs: 'read a record',
    parts: changing(
      (_, value) => Array.isArray(value),
      (at) => ({ replace: { [at]: [] } }),
    ),
    keepsState: false,
  },
  'other-replies': {
    rule: 'client/other-replies',
    when: (part = 'an operation') => `${part} answers with another success status`,
    advice: 'Accept every 2xx where the contract names no status, and do not need the body of a registration.',
    needs: 'put a label on a conversation, or upload a file',
    parts: otherStatuses,
  },
  'other-errors': {
    rule: 'client/other-errors',
    when: () => 'an error has another code and another message',
    advice: 'Decide by the status: NOT_FOUND is the only code that the specification shows.',
    needs: anError,
    parts({ requests, profile }) {
      const isError = ({ status, fault, operation }: SentRequest) =>
        (status ?? 0) >= 400 && !fault && operation !== 'storage';
      const reshape = withValues((value) =>
        isObject(value) && isObject(value.error) && value.error.code !== 'NOT_FOUND'
          ? { ...value, error: { ...value.error, code: 'E_4711', message: 'In other words.' } }
          : value,
      );
      return eachOf(profile?.errors === undefined && requests.some(isError) ? ['errors'] : [], () => ({ reshape }));
    },
  },
  'many-labels': {
    rule: 'client/many-labels',
    when: () => 'there are hundreds of labels',
    advice: 'Read the whole list, and find a label in it by its name or id.',
    needs: 'list the labels',
    parts: ({ operations: used }) =>
      eachOf(used.includes('listLabels') ? ['labels'] : [], () => ({ seeds: withManyLabels })),
  },
  'legacy-site': {
    rule: 'client/any-site-id',
    when: () => 'the id of the site is a bare number',
    advice: 'Treat the id of a site as a string of any form.',
    parts: (used) => legacySite(used),
    gives: 'SITE',
    needs: 'use the site that it is given',
    keepsState: false,
  },
  'encoded-site': {
    rule: 'client/any-site-id',
    when: () => 'the id of the site has characters that URLs encode',
    advice: 'Encode every id that you put into a path, as encodeURIComponent does.',
    parts: (used) => legacySite(used, withEncodedSite),
    gives: 'SITE',
    needs: 'use the site that it is given',
    keepsState: false,
  },
  'least-scopes': {
    rule: 'client/least-scopes',
    when: () => 'its key has only the scopes that its operations need',
    advice: 'Look which request is refused: the list of least scopes lacks a scope for it.',
    parts: ({ scopes, operations: used }): Parts =>
      used.some(isOperationId) ? { [`${scopes.length} scopes`]: { scopes } } : {},
  },
};
