import {
  asArray,
  asObject,
  errorWith,
  type Json,
  jsonOf,
  objectOf,
  replyWith,
  withProperties,
} from '../../../../mock/proof/tampering/json-value.ts';
import { type Answered, type Asked, as, bytesOf, instead, onReply } from '../../../../mock/proof/tampering/tamper.ts';
import type { OperationId } from '../../../../spec/operations.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { carryOut, doneAnyway, labelWriteOf } from '../../tampering/label-write.ts';
import { isElsewhere, otherOf } from '../../tampering/predicates.ts';

/** Serves records of the other tenant in place of refusing them as unknown. */
const crossing = (ids: readonly OperationId[], who: (asked: Asked) => boolean = () => true) =>
  onReply((answered) => {
    const { id, refused, key, mock, request } = answered;
    if (!isElsewhere(refused) || key === undefined || key.revoked) return undefined;
    if (!ids.some((one) => one === id) || !who(answered)) return undefined;
    return answered.ask(as(mock, request, otherOf(key.tenant)));
  });

/** Refuses a write to a record of another tenant, but executes it. */
const doneOnAcme = (operation: OperationId) =>
  doneAnyway(({ id, refused, key }) =>
    id === operation && isElsewhere(refused) && key?.tenant === 'globex' ? 'acme' : undefined,
  );

/** A cache of replies that ignores the key. */
function cachedBy(id: OperationId, nameOf: (asked: Asked) => string) {
  const known = new Map<string, { tenant: string; reply: Answered['reply'] }>();
  return onReply((answered) => {
    if (answered.id !== id || !answered.ok || answered.key === undefined) return undefined;
    const { tenant } = answered.key;
    const cached = known.get(nameOf(answered));
    if (cached !== undefined && cached.tenant !== tenant) return cached.reply;
    known.set(nameOf(answered), { tenant, reply: answered.reply });
    return undefined;
  });
}

/** Looks up conversations without regard to the tenant if their id is in capitals. */
const inCapitals = (isRead: boolean) =>
  onReply(({ params, key, mock, request, ask }) => {
    const { id = '' } = params;
    if (key === undefined || key.revoked || !id.startsWith('C0') || (request.method === 'GET') !== isRead)
      return undefined;
    const theirs = mock.tenants.get(otherOf(key.tenant))?.conversations.has(id.toLowerCase());
    return theirs
      ? ask(as(mock, { ...request, url: request.url.replace(id, id.toLowerCase()) }, otherOf(key.tenant), key.scopes))
      : undefined;
  });

const legacyId = '10042';

export const isolation: readonly Defect[] = [
  ...breaking('isolation/reads-stay-in-tenant', {
    'isolation/any-key-reads-context': [
      'looks a conversation up by its id alone, for its context',
      crossing(['getConversationContext']),
    ],
    'isolation/reads-ids-in-capitals-anywhere': [
      'looks a conversation up by its id alone where the id is in capitals, for reads',
      inCapitals(true),
    ],
    'isolation/any-key-reads-record': [
      'looks a conversation up by its id alone, for its record and not for its context',
      crossing(['getConversation']),
    ],
    'isolation/stranger-reads-site': [
      "shows the first tenant's site and client to the second, and not the other way round",
      crossing(['getSite', 'getClient'], ({ key }) => key?.tenant === 'globex'),
    ],
    'isolation/we-read-strangers-client': [
      "shows the second tenant's client to the first, and not the other way round",
      crossing(['getClient'], ({ key }) => key?.tenant === 'acme'),
    ],
    'isolation/legacy-site-of-the-other': [
      'keeps tenants apart for newer site ids, and takes whichever site comes first for a bare id',
      instead(({ id, params, key, mock, request, ask }) =>
        id === 'getSite' && params.id === legacyId && key?.tenant === 'globex'
          ? ask(as(mock, request, 'acme'))
          : undefined,
      ),
    ],
    'isolation/labels-of-everybody': [
      "puts a conversation id of the other tenant beside each listed label, as the label's last use",
      onReply(({ id, ok, key, reply }) => {
        if (id !== 'listLabels' || !ok || key?.tenant !== 'acme') return undefined;
        const lastUsedOn = 'c0000001-0000-4000-8000-000000000101';
        const labels = asArray(objectOf(reply).labels).map((label) => ({ ...(label as object), lastUsedOn }));
        return withProperties(reply, { labels });
      }),
    ],
    'isolation/lists-a-label-of-the-other': [
      "lists the other tenant's first label among our own",
      onReply(({ id, ok, key, reply, mock }) => {
        const [label] = mock.tenants.get(otherOf(key?.tenant))?.records.labels.values() ?? [];
        if (id !== 'listLabels' || !ok || label === undefined) return undefined;
        return withProperties(reply, {
          labels: [...asArray(objectOf(reply).labels), { id: label.id, name: label.name }],
        });
      }),
    ],
    'isolation/associates-a-conversation-of-the-other': [
      'joins associated conversations by street, whoever they belong to',
      onReply(({ id, ok, key, reply, mock }) => {
        const [theirs] = mock.tenants.get(otherOf(key?.tenant))?.conversations.values() ?? [];
        if (id !== 'getConversationContext' || !ok || theirs === undefined) return undefined;
        const { friendlyId = '', subject = '', status = '', updatedAt = '' } = theirs.seed;
        const one: Json = { friendlyId, subject, status, statusLastUpdatedAt: updatedAt, shortSummary: subject };
        const sites = asArray(objectOf(reply).sites).map(asObject);
        return withProperties(reply, {
          sites: sites.map((site) => ({
            ...site,
            associatedConversations: [...asArray(site.associatedConversations), one],
          })),
        });
      }),
    ],
    'isolation/stranger-in-context': [
      "lists the other tenant's site beside our own in a context",
      onReply(({ id, ok, key, reply }) => {
        if (id !== 'getConversationContext' || !ok || key?.tenant !== 'acme') return undefined;
        const sites = [...asArray(objectOf(reply).sites), { id: 'ovaid-517e0001-0000-4000-8000-000000000101' }];
        return withProperties(reply, { sites });
      }),
    ],
    'isolation/ours-in-strangers-context': [
      "lists a site of ours in the other tenant's context",
      onReply(({ id, ok, key, reply }) => {
        if (id !== 'getConversationContext' || !ok || key?.tenant !== 'globex') return undefined;
        const sites = [...asArray(objectOf(reply).sites), { id: 'ovaid-517e0001-0000-4000-8000-000000000001' }];
        return withProperties(reply, { sites });
      }),
    ],
    'isolation/refusal-shows-the-record': [
      "answers 404 for another tenant's conversation, with its context as details",
      onReply(async (answered) => {
        const { id, refused, key, mock, request, reply } = answered;
        if (id !== 'getConversationContext' || !isElsewhere(refused) || key === undefined) return undefined;
        const shown = await answered.ask(as(mock, request, otherOf(key.tenant)));
        return shown.status === 200 ? withProperties(reply, { details: jsonOf(shown.body) }) : undefined;
      }),
    ],
    'isolation/refused-listing-names-ours': [
      'has no labels for the second tenant, and says so with the id of a conversation of the first',
      instead(({ id, key }) =>
        id === 'listLabels' && key?.tenant === 'globex'
          ? errorWith(404, 'NOT_FOUND', 'No labels but those of c0000001-0000-4000-8000-000000000001.')
          : undefined,
      ),
    ],
    'isolation/site-cache-without-key': [
      'caches the details of sites by path, so that two tenants with one bare id see the first that was asked for',
      (scene) => cachedBy('getSite', ({ params }) => params.id ?? '')(scene),
    ],
    'isolation/we-read-strangers-site': [
      "shows the second tenant's site to the first, and not the other way round",
      crossing(['getSite'], ({ key }) => key?.tenant === 'acme'),
    ],
  }),
  ...breaking('isolation/writes-stay-in-tenant', {
    'isolation/any-key-labels-conversation': [
      'looks a conversation up by its id alone where a label is applied or removed',
      crossing(['applyConversationLabel', 'removeConversationLabel']),
    ],
    'isolation/writes-ids-in-capitals-anywhere': [
      'looks a conversation up by its id alone where the id is in capitals, for writes',
      inCapitals(false),
    ],
    'isolation/any-key-removes-from-conversation': [
      'looks a conversation up by its id alone where a label is removed, and not where it is applied',
      crossing(['removeConversationLabel']),
    ],
    'isolation/any-key-labels-site': [
      'looks a site up by its id alone where a label is applied',
      crossing(['applySiteLabel']),
    ],
    'isolation/any-key-labels-link': [
      'looks a link up by its ids alone where a label is removed',
      crossing(['removeClientSiteLabel']),
    ],
    'isolation/strangers-label-accepted': [
      "accepts another tenant's label on a conversation, and answers the labels that it carries",
      onReply((answered) => {
        const write = isElsewhere(answered.refused) ? labelWriteOf(answered) : undefined;
        const theirs = labelWriteOf({ ...answered, params: answered.params }, answered.key?.tenant);
        const known = answered.mock.tenants.get('globex')?.publicLabels.has(answered.params.labelId ?? '') ?? false;
        if (write === undefined || theirs === undefined || !known || answered.key?.tenant !== 'acme') return undefined;
        const labels = write.tenant.publicLabelsOf(write.holder).map(({ id, name }) => ({ id, name }));
        return { ...answered.reply, status: 200, body: JSON.stringify({ labels }) };
      }),
    ],
    'isolation/strangers-writes-say-200': [
      "answers 200 where the second tenant's key writes a label or registers a file of ours, and changes nothing",
      onReply((answered) =>
        isElsewhere(answered.refused) &&
        answered.key?.tenant === 'globex' &&
        (labelWriteOf(answered, 'acme') !== undefined || answered.id === 'registerSiteFile')
          ? { ...answered.reply, status: 200, body: '{"labels":[]}' }
          : undefined,
      ),
    ],
    'isolation/we-register-their-file': [
      "registers the second tenant's file for the first",
      onReply(({ id, refused, key, request, mock }) => {
        if (id !== 'registerSiteFile' || !isElsewhere(refused) || key?.tenant !== 'acme') return undefined;
        const fileKey = String(asObject(jsonOf(new TextDecoder().decode(bytesOf(request)))).fileKey);
        return mock.tenants.get('globex')?.files.has(fileKey) ? replyWith(201, { fileKey }) : undefined;
      }),
    ],
    'isolation/refused-but-applied-to-conversation': [
      "answers 404 where another tenant's conversation is labelled, and applies the label all the same",
      doneOnAcme('applyConversationLabel'),
    ],
    'isolation/refused-but-removed-from-site': [
      "answers 404 where a label of another tenant's site is removed, and removes it all the same",
      doneOnAcme('removeSiteLabel'),
    ],
    'isolation/refused-but-removed-from-link': [
      "answers 404 where a label of another tenant's link is removed, and removes it all the same",
      doneOnAcme('removeClientSiteLabel'),
    ],
    'isolation/legacy-site-written-in-the-wrong-tenant': [
      'keeps tenants apart for newer site ids, and writes labels of a bare id to whichever site comes first',
      instead(({ id, params, key, mock, request, ask }) =>
        (id === 'applySiteLabel' || id === 'removeSiteLabel') && params.id === legacyId && key?.tenant === 'globex'
          ? ask(as(mock, request, 'acme'))
          : undefined,
      ),
    ],
    'isolation/write-lands-in-both': [
      "answers for the caller's own legacy site, and changes the site of that id in the other tenant too",
      instead((asked) => {
        const { id, params, key, mock, request, ask } = asked;
        if (id !== 'applySiteLabel' || params.id !== legacyId || key?.tenant !== 'globex') return undefined;
        const write = labelWriteOf(asked, 'acme');
        if (write !== undefined) carryOut(write);
        return ask(as(mock, request, 'globex'));
      }),
    ],
    'isolation/upload-for-any-site': ["starts uploads for another tenant's sites", crossing(['startSiteFileUpload'])],
    'isolation/uploads-for-the-first-tenant-alone': [
      "looks for sites among the first tenant's where an upload is started, whoever asks",
      instead(({ id, key, mock, request, ask }) =>
        id === 'startSiteFileUpload' && key?.tenant === 'globex' ? ask(as(mock, request, 'acme')) : undefined,
      ),
    ],
    'isolation/stranger-registers-our-file': [
      'registers a file for whoever knows its fileKey',
      crossing(['registerSiteFile']),
    ],
    'isolation/stranger-spoils-our-file': [
      "answers 404 where another tenant registers a file, and marks the owner's as failed",
      (scene) => {
        let spoilt = false;
        return onReply(({ id, refused, key, reply }) => {
          if (id !== 'registerSiteFile' || key === undefined) return undefined;
          if (key.tenant === 'globex' && isElsewhere(refused)) spoilt = true;
          if (key.tenant === 'acme' && spoilt && reply.status === 201) return errorWith(404, 'NOT_FOUND');
          return undefined;
        })(scene);
      },
    ],
  }),
  ...(['apply', 'remove'] as const).map(
    (does): Defect => ({
      id: `isolation/we-${does}-what-is-theirs`,
      breaks: 'isolation/writes-stay-in-tenant',
      does: `answers 200 when a key of the first tenant ${does === 'apply' ? 'applies one of its labels to' : 'removes one of its labels from'} a record of the second`,
      around: onReply((answered) =>
        isElsewhere(answered.refused) &&
        answered.key?.tenant === 'acme' &&
        labelWriteOf(answered, 'globex')?.does === does &&
        labelWriteOf(answered, 'acme') === undefined
          ? { ...answered.reply, status: 200, body: '{"labels":[]}' }
          : undefined,
      ),
    }),
  ),
];
