import { operations, scopes } from '../../spec/operations.ts';
import { createRouter } from '../../spec/routes.ts';
import type { ApiReply, ApiRequest, Mock } from '../index.ts';
import type { HolderRef } from '../store/label-holder.ts';
import { newTrace, type Trace } from '../trace.ts';

/**
 * Broken mocks, by name: what stands in place of `mock.handle`. They show that the tests that look for anything wrong
 * (the reference model, the fuzzer) can fail.
 */
export const defects = {
  'finds conversations of every tenant': onReply((seen) =>
    seen.trace.refused === 'foreign-conversation' ? seen.asTheOther() : undefined,
  ),
  'finds links of every tenant where a label is removed': onReply((seen) =>
    seen.trace.operationId === 'removeClientSiteLabel' && seen.trace.refused === 'foreign-link'
      ? seen.asTheOther()
      : undefined,
  ),
  'refuses to label a foreign conversation, and labels it': onReply(async (seen) => {
    if (seen.trace.operationId !== 'applyConversationLabel' || seen.trace.refused !== 'foreign-conversation')
      return undefined;
    const label = [...seen.other().publicLabels.keys()][0] ?? '';
    seen.mock.applyLabel(seen.other().name, { conversation: seen.params.id ?? '' }, label);
    return undefined;
  }),
  'labels the site of the same id in every tenant': onReply((seen) => {
    if (seen.trace.operationId !== 'applySiteLabel' || seen.reply.status !== 200) return undefined;
    for (const tenant of seen.mock.tenants.values()) {
      const site = seen.params.id ?? '';
      const [label] = tenant.publicLabels.keys();
      if (tenant.name !== seen.trace.tenant && label && tenant.sites.has(site)) {
        seen.mock.applyLabel(tenant.name, { site }, label);
      }
    }
    return undefined;
  }),
  'shows the record of another tenant in its refusal': onReply(async (seen) => {
    if (seen.trace.operationId !== 'getConversationContext' || seen.trace.refused !== 'foreign-conversation')
      return undefined;
    const { body } = await seen.asTheOther();
    return withFields(seen.reply, { details: JSON.parse(body ?? 'null') });
  }),
  'shows private labels in a context': onReply(({ trace, reply, mock }) => {
    if (trace.operationId !== 'getConversationContext' || reply.status !== 200) return undefined;
    const labels = mock.tenant(trace.tenant ?? '').records.seed.labels;
    return withFields(reply, { labels: labels.map(({ name }) => name) });
  }),
  'leaves siteId out of the label set of a site': onReply(({ trace, reply }) =>
    trace.operationId === 'applySiteLabel' && reply.status === 200
      ? withFields(reply, { siteId: undefined })
      : undefined,
  ),
  'answers 500 where contentType is missing': onReply(({ trace, reply }) =>
    trace.refused === 'missing-content-type' ? { ...reply, status: 500 } : undefined,
  ),
  'finds no fileKey where a file is registered': onReply(({ trace, reply }) =>
    trace.operationId === 'registerSiteFile' && reply.status === 201 ? { ...reply, status: 404 } : undefined,
  ),
  'takes off a second label with the one that is removed': onReply(({ trace, reply, mock, params }) => {
    const holder = holderOf(trace, params);
    if (holder === undefined || !trace.operationId?.startsWith('remove') || reply.status !== 200) return undefined;
    const [neighbour] = mock.labelsOf(trace.tenant ?? '', holder);
    if (neighbour) mock.removeLabel(trace.tenant ?? '', holder, neighbour.id);
    return undefined;
  }),
  'does not keep a label that is put on': onReply(({ trace, reply, mock, params }) => {
    const holder = holderOf(trace, params);
    if (holder === undefined || !trace.operationId?.startsWith('apply') || reply.status !== 200) return undefined;
    mock.removeLabel(trace.tenant ?? '', holder, params.labelId ?? '');
    return undefined;
  }),
} satisfies Record<string, (mock: Mock) => Mock['handle']>;

/** A request that was answered. */
interface Seen {
  readonly mock: Mock;
  readonly request: ApiRequest;
  readonly reply: ApiReply;
  readonly trace: Trace;
  readonly params: Readonly<Record<string, string>>;
  /** The tenant whose record was asked for with a key of another. */
  other(): ReturnType<Mock['tenant']>;
  /** The reply to the same request with a key of that tenant. */
  asTheOther(): Promise<ApiReply>;
}

const unlimited = { perSecond: 1e6, burst: 1e6 };
const router = createRouter(Object.values(operations));

/** Changes the state, the reply or both, once the mock has answered. */
function onReply(change: (seen: Seen) => ApiReply | undefined | Promise<ApiReply | undefined>) {
  return (mock: Mock): Mock['handle'] =>
    async (request, trace = newTrace()) => {
      const reply = await mock.handle(request, trace);
      const match = router.match(request.method, request.url.split('?')[0] ?? '');
      const params = match.kind === 'found' ? match.params : {};
      const other = () => ownerOf(mock, params);
      const asTheOther = async () => {
        const secret = `of ${other().name}`;
        if (mock.keys.recognise(secret) === undefined) {
          const tenant = other().name;
          mock.keys.add({ id: secret, tenant, name: secret, secret, scopes, rateLimit: unlimited, createdAt: 0 });
        }
        return mock.handle({ ...request, headers: { ...request.headers, 'x-api-key': secret } });
      };
      return (await change({ mock, request, reply, trace, params, other, asTheOther })) ?? reply;
    };
}

function ownerOf(mock: Mock, { id = '', siteId, clientId }: Readonly<Record<string, string>>) {
  const owner = [...mock.tenants.values()].find(({ conversations, links }) =>
    clientId === undefined ? conversations.has(id) : links.has(JSON.stringify([clientId, siteId])),
  );
  if (owner === undefined) throw new Error(`no tenant has ${clientId ?? id}`);
  return owner;
}

function holderOf({ operationId }: Trace, params: Readonly<Record<string, string>>): HolderRef | undefined {
  const { id = '', clientId: client = '', siteId: site = '' } = params;
  switch (operationId) {
    case 'applyConversationLabel':
    case 'removeConversationLabel':
      return { conversation: id };
    case 'applySiteLabel':
    case 'removeSiteLabel':
      return { site: id };
    case 'applyClientSiteLabel':
    case 'removeClientSiteLabel':
      return { client, site };
    default:
      return undefined;
  }
}

const withFields = (reply: ApiReply, fields: object): ApiReply => ({
  ...reply,
  body: JSON.stringify({ ...JSON.parse(reply.body ?? '{}'), ...fields }),
});
