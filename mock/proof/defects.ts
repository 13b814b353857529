import type { Mock } from '../index.ts';
import type { HolderRef } from '../store/records.ts';
import { objectOf, withProperties } from '../wrong/tampering/json-value.ts';
import { type Answered, as, onReply as tamperWithReplies } from '../wrong/tampering/tamper.ts';

const onReply = (change: Parameters<typeof tamperWithReplies>[0]) => (mock: Mock) =>
  tamperWithReplies(change)({ mock, handle: mock.handle, reached: () => {} });

/**
 * Broken mocks, by name: what stands in place of `mock.handle`. They show that the tests that look for anything wrong
 * (the reference model, the fuzzer) can fail.
 */
export const defects = {
  'finds conversations of every tenant': onReply((seen) =>
    seen.refused === 'foreign-conversation' ? askAsOwner(seen) : undefined,
  ),
  'finds links of every tenant where a label is removed': onReply((seen) =>
    seen.id === 'removeClientSiteLabel' && seen.refused === 'foreign-link' ? askAsOwner(seen) : undefined,
  ),
  'refuses to label a foreign conversation, and labels it': onReply((seen) => {
    const { id, refused, mock, params } = seen;
    if (id !== 'applyConversationLabel' || refused !== 'foreign-conversation') return undefined;
    const owner = ownerOf(seen);
    mock.labels.apply(owner.name, { conversation: params.id ?? '' }, [...owner.publicLabels.keys()][0] ?? '');
    return undefined;
  }),
  'labels the site of the same id in every tenant': onReply(({ id, reply, mock, key, params }) => {
    if (id !== 'applySiteLabel' || reply.status !== 200) return undefined;
    for (const tenant of mock.tenants.values()) {
      const site = params.id ?? '';
      const [label] = tenant.publicLabels.keys();
      if (tenant.name !== key?.tenant && label && tenant.sites.has(site))
        mock.labels.apply(tenant.name, { site }, label);
    }
    return undefined;
  }),
  'shows the record of another tenant in its refusal': onReply(async (seen) => {
    if (seen.id !== 'getConversationContext' || seen.refused !== 'foreign-conversation') return undefined;
    return withProperties(seen.reply, { details: objectOf(await askAsOwner(seen)) });
  }),
  'shows private labels in a context': onReply(({ id, reply, mock, key }) => {
    if (id !== 'getConversationContext' || reply.status !== 200) return undefined;
    const { labels } = mock.tenant(key?.tenant ?? '').records.seed;
    return withProperties(reply, { labels: labels.map(({ name }) => name) });
  }),
  'leaves siteId out of the label set of a site': onReply(({ id, reply }) =>
    id === 'applySiteLabel' && reply.status === 200 ? withProperties(reply, { siteId: undefined }) : undefined,
  ),
  'answers 500 where contentType is missing': onReply(({ refused, reply }) =>
    refused === 'missing-content-type' ? { ...reply, status: 500 } : undefined,
  ),
  'finds no fileKey where a file is registered': onReply(({ id, reply }) =>
    id === 'registerSiteFile' && reply.status === 201 ? { ...reply, status: 404 } : undefined,
  ),
  'takes off a second label with the one that is removed': onReply(({ id, reply, mock, key, params }) => {
    const tenant = key?.tenant ?? '';
    const holder = holderOf(id, params);
    if (holder === undefined || !id?.startsWith('remove') || reply.status !== 200) return undefined;
    const [neighbour] = mock.labels.of(tenant, holder);
    if (neighbour) mock.labels.remove(tenant, holder, neighbour.id);
    return undefined;
  }),
  'does not keep a label that is put on': onReply(({ id, reply, mock, key, params }) => {
    const holder = holderOf(id, params);
    if (holder === undefined || !id?.startsWith('apply') || reply.status !== 200) return undefined;
    mock.labels.remove(key?.tenant ?? '', holder, params.labelId ?? '');
    return undefined;
  }),
} satisfies Record<string, (mock: Mock) => Mock['handle']>;

/** The reply to the same request with a key of the tenant that has the record. */
const askAsOwner = (seen: Answered) => seen.ask(as(seen.mock, seen.request, ownerOf(seen).name));

function ownerOf({ mock, params: { id = '', siteId, clientId } }: Answered) {
  const owner = [...mock.tenants.values()].find(({ conversations, links }) =>
    clientId === undefined ? conversations.has(id) : links.has(JSON.stringify([clientId, siteId])),
  );
  if (owner === undefined) throw new Error(`no tenant has ${clientId ?? id}`);
  return owner;
}

function holderOf(operation: Answered['id'], params: Answered['params']): HolderRef | undefined {
  const { id = '', clientId: client, siteId: site = '' } = params;
  if (!operation?.endsWith('Label')) return undefined;
  if (client !== undefined) return { client, site };
  return operation.includes('Conversation') ? { conversation: id } : { site: id };
}
