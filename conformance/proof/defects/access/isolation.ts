import {
  asArray,
  asObject,
  type Json,
  jsonOf,
  replyWith,
  withProperties,
} from '../../../../mock/proof/tampering/json-value.ts';
import { type Answered, as, bytesOf, instead } from '../../../../mock/proof/tampering/tamper.ts';
import type { OperationId } from '../../../../spec/operations.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { fromCache } from '../../tampering/from-cache.ts';
import { doneAnyway, labelsNow, labelWriteOf, onWrite } from '../../tampering/label-write.ts';
import { elsewhere, isElsewhere, otherOf, usable } from '../../tampering/predicates.ts';
import { late } from '../../tampering/timing.ts';
import {
  chain,
  failing,
  inReply,
  onReplyTo,
  refusing,
  servedAfterAll,
  servedAs,
  type When,
  withHeaders,
} from '../../tampering/when.ts';

/** Serves records of the other tenant in place of refusing them as unknown. */
const crossing = (id: When['id'], tenant?: string) =>
  servedAfterAll('the other', { id, refused: elsewhere, usable: true, ...(tenant && { tenant }) });

/** Refuses a write to a record of another tenant, but executes it. */
const doneOnAcme = (id: OperationId) => doneAnyway({ id, refused: elsewhere, tenant: 'globex' }, 'acme');

/** Lists this site in the contexts of a tenant. */
const listingSite = (tenant: string, id: string) =>
  inReply({ id: 'getConversationContext', ok: true, tenant }, ({ sites }) => ({ sites: [...asArray(sites), { id }] }));

/** Looks up conversations without regard to the tenant if their id is in capitals. */
const inCapitals = (isRead: boolean) =>
  onReplyTo(
    {
      usable: true,
      where: ({ params, request }) => params.id?.startsWith('C0') && (request.method === 'GET') === isRead,
    },
    ({ params: { id = '' }, key, mock, request, ask }) => {
      const other = otherOf(key?.tenant);
      const isTheirs = mock.tenants.get(other)?.conversations.has(id.toLowerCase());
      const url = request.url.replace(id, id.toLowerCase());
      return isTheirs ? ask(as(mock, { ...request, url }, other, key?.scopes)) : undefined;
    },
  );

/** Takes a link of a client of one tenant and a site of the other for a link of the first tenant. */
const mixedLink = (id: 'applyClientSiteLabel' | 'removeClientSiteLabel', client: string, site: string) =>
  instead(({ id: asked, key, params: { clientId = '', siteId = '' } }) =>
    asked === id &&
    key?.tenant === 'acme' &&
    key.scopes.has('client:write') &&
    key.scopes.has('site:write') &&
    clientId.endsWith(client) &&
    siteId.endsWith(site)
      ? replyWith(200, { clientId, siteId, labels: [] })
      : undefined,
  );

const withoutLabels = ({ reply }: Answered) => ({ ...reply, status: 200, body: '{"labels":[]}' });

export const isolation: readonly Defect[] = [
  ...breaking('isolation/reads-stay-in-tenant', {
    'isolation/any-key-reads-context': [
      'looks a conversation up by its id alone, for its context',
      crossing('getConversationContext'),
    ],
    'isolation/labels-of-the-legacy-site-of-the-other': [
      "answers the labels of the other tenant's site where both have a site with this bare id",
      onWrite(
        ({ on, holder }) => on === 'site' && 'id' in holder && String(holder.id) === '10042',
        (write, { reply, key, mock }) => {
          const other = mock.tenants.get(otherOf(key?.tenant));
          const site = other?.sites.get('10042');
          const theirs = site ? (other?.publicLabelsOf(site) ?? []) : [];
          return withProperties(reply, {
            labels: [
              ...theirs.map(({ id, name }) => ({ id, name })),
              ...labelsNow(write).filter(({ id }) => id === write.label?.id),
            ],
          });
        },
      ),
    ],
    'isolation/reads-ids-in-capitals-anywhere': [
      'looks a conversation up by its id alone where the id is in capitals, for reads',
      inCapitals(true),
    ],
    'isolation/any-key-reads-record': [
      'looks a conversation up by its id alone, for its record and not for its context',
      crossing('getConversation'),
    ],
    'isolation/stranger-reads-site': [
      "shows the first tenant's site and client to the second, and not the other way round",
      crossing(['getSite', 'getClient'], 'globex'),
    ],
    'isolation/we-read-strangers-client': [
      "shows the second tenant's client to the first, and not the other way round",
      crossing('getClient', 'acme'),
    ],
    'isolation/legacy-site-of-the-other': [
      'keeps tenants apart for newer site ids, and takes whichever site comes first for a bare id',
      servedAs('acme', { id: 'getSite', tenant: 'globex', record: 'legacy' }),
    ],
    'isolation/labels-of-everybody': [
      "puts a conversation id of the other tenant beside each listed label, as the label's last use",
      inReply({ id: 'listLabels', ok: true, tenant: 'acme' }, ({ labels }) => ({
        labels: asArray(labels).map((label) => ({
          ...asObject(label),
          lastUsedOn: 'c0000001-0000-4000-8000-000000000101',
        })),
      })),
    ],
    'isolation/lists-a-label-of-the-other': [
      "lists the other tenant's first label among our own",
      inReply({ id: 'listLabels', ok: true }, ({ labels }, { key, mock }) => {
        const [label] = mock.tenants.get(otherOf(key?.tenant))?.records.labels.values() ?? [];
        return { labels: [...asArray(labels), ...(label ? [{ id: label.id, name: label.name }] : [])] };
      }),
    ],
    'isolation/associates-a-conversation-of-the-other': [
      'joins associated conversations by street, whoever they belong to',
      inReply({ id: 'getConversationContext', ok: true }, ({ sites }, { key, mock }) => {
        const [conversation] = mock.tenants.get(otherOf(key?.tenant))?.conversations.values() ?? [];
        const { friendlyId = '', subject = '', status = '', updatedAt = '' } = conversation?.seed ?? {};
        const theirs: Json = { friendlyId, subject, status, statusLastUpdatedAt: updatedAt, shortSummary: subject };
        return {
          sites: asArray(sites)
            .map(asObject)
            .map((site) => ({
              ...site,
              associatedConversations: [...asArray(site.associatedConversations), theirs],
            })),
        };
      }),
    ],
    'isolation/stranger-in-context': [
      "lists the other tenant's site beside our own in a context",
      listingSite('acme', 'ovaid-517e0001-0000-4000-8000-000000000101'),
    ],
    'isolation/shows-a-site-that-nobody-names': [
      "lists a site of the first tenant in the second's contexts, one that the target file does not name",
      listingSite('globex', 'ovaid-517e0004-0000-4000-8000-000000000004'),
    ],
    'isolation/refusal-shows-the-record': [
      "answers 404 for another tenant's conversation, with its context as details",
      onReplyTo(
        { id: 'getConversationContext', refused: elsewhere, usable: true },
        async ({ ask, key, mock, request, reply }) => {
          const shown = await ask(as(mock, request, otherOf(key?.tenant)));
          return shown.status === 200 ? withProperties(reply, { details: jsonOf(shown.body) }) : undefined;
        },
      ),
    ],
    'isolation/refused-listing-names-ours': [
      'has no labels for the second tenant, and says so with the id of a conversation of the first',
      refusing(
        { id: 'listLabels', tenant: 'globex' },
        404,
        'No labels but those of c0000001-0000-4000-8000-000000000001.',
      ),
    ],
    'isolation/site-cache-without-key': [
      'caches the details of sites by path, so that two tenants with one bare id see the first that was asked for',
      fromCache({
        keeps: { id: 'getSite', ok: true },
        answers: { id: 'getSite', ok: true },
        acrossTenants: true,
      }),
    ],
    'isolation/etag-before-the-tenant': [
      'answers 304 to whoever knows the ETag of a conversation',
      chain(
        withHeaders({ id: 'getConversation', ok: true }, { etag: '"1"' }),
        instead((asked) =>
          asked.id === 'getConversation' && usable(asked) && asked.request.headers['if-none-match'] === '"1"'
            ? { status: 304, headers: {}, body: null }
            : undefined,
        ),
      ),
    ],
    'isolation/we-read-strangers-site': [
      "shows the second tenant's site to the first, and not the other way round",
      crossing('getSite', 'acme'),
    ],
  }),
  ...breaking('isolation/writes-stay-in-tenant', {
    'isolation/writes-ids-in-capitals-anywhere': [
      'looks a conversation up by its id alone where the id is in capitals, for writes',
      inCapitals(false),
    ],
    'isolation/any-key-removes-from-conversation': [
      'looks a conversation up by its id alone where a label is removed, and not where it is applied',
      crossing('removeConversationLabel'),
    ],
    'isolation/any-key-labels-site': [
      'looks a site up by its id alone where a label is applied',
      crossing('applySiteLabel'),
    ],
    'isolation/any-key-labels-link': [
      'looks a link up by its ids alone where a label is removed',
      crossing('removeClientSiteLabel'),
    ],
    'isolation/strangers-label-accepted': [
      "accepts another tenant's label on a conversation, and answers the labels that it carries",
      onReplyTo({ refused: elsewhere, tenant: 'acme' }, (answered) => {
        const write = labelWriteOf(answered);
        const isTheirs = answered.mock.tenants.get('globex')?.publicLabels.has(answered.params.labelId ?? '');
        if (write === undefined || !isTheirs) return undefined;
        const labels = write.tenant.publicLabelsOf(write.holder).map(({ id, name }) => ({ id, name }));
        return { ...answered.reply, status: 200, body: JSON.stringify({ labels }) };
      }),
    ],
    'isolation/strangers-writes-say-200': [
      "answers 200 where the second tenant's key writes a label or registers a file of ours, and changes nothing",
      onReplyTo(
        {
          refused: elsewhere,
          tenant: 'globex',
          where: (answered) => labelWriteOf(answered, 'acme') !== undefined || answered.id === 'registerSiteFile',
        },
        withoutLabels,
      ),
    ],
    'isolation/we-register-their-file': [
      "registers the second tenant's file for the first",
      onReplyTo({ id: 'registerSiteFile', refused: elsewhere, tenant: 'acme' }, ({ request, mock }) => {
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
      servedAs('acme', { id: ['applySiteLabel', 'removeSiteLabel'], tenant: 'globex', record: 'legacy' }),
    ],
    'isolation/write-lands-in-both': [
      "answers for the caller's own legacy site, and changes the site of that id in the other tenant too",
      chain(
        servedAs('its own', { id: 'applySiteLabel', tenant: 'globex', record: 'legacy' }),
        doneAnyway({ id: 'applySiteLabel', tenant: 'globex', record: 'legacy' }, 'acme'),
      ),
    ],
    'isolation/upload-for-any-site': ["starts uploads for another tenant's sites", crossing('startSiteFileUpload')],
    'isolation/uploads-for-the-first-tenant-alone': [
      "looks for sites among the first tenant's where an upload is started, whoever asks",
      servedAs('acme', { id: 'startSiteFileUpload', tenant: 'globex' }),
    ],
    'isolation/stranger-registers-our-file': [
      'registers a file for whoever knows its fileKey',
      crossing('registerSiteFile'),
    ],
    'isolation/stranger-spoils-our-file': [
      "answers 404 where another tenant registers a file, and marks the owner's as failed",
      (scene) => {
        let spoilt = false;
        const isSpoilt = ({ key, refused, reply }: Answered) => {
          if (key?.tenant === 'globex' && isElsewhere(refused)) spoilt = true;
          return key?.tenant === 'acme' && spoilt && reply.status === 201;
        };
        return failing({ id: 'registerSiteFile', where: isSpoilt }, 404)(scene);
      },
    ],
    'isolation/our-client-with-their-site': [
      'looks at the client alone where a label is put on a link of our client and their site',
      mixedLink('applyClientSiteLabel', '000000000001', '000000000101'),
    ],
    'isolation/their-client-with-our-site-removed': [
      'looks at the site alone where a label is taken off a link of their client and our site',
      mixedLink('removeClientSiteLabel', '000000000101', '000000000001'),
    ],
    'isolation/refused-but-removed-from-closed': [
      "answers 404 where a label of another tenant's closed conversation is removed, and removes it all the same",
      doneAnyway({ refused: elsewhere, id: 'removeConversationLabel', record: 'closed' }, 'the other'),
    ],
    'isolation/their-file-at-our-site': [
      "registers a file of the other tenant's at a site of one's own",
      onReplyTo({ id: 'registerSiteFile', refused: 'foreign-file-key' }, ({ params }) =>
        replyWith(201, { siteId: params.id ?? '' }),
      ),
    ],
    'isolation/written-by-all-after-a-while': [
      'after 40 seconds lets one tenant write to the records of the other',
      late(servedAfterAll('the other', { refused: elsewhere, where: ({ request }) => request.method !== 'GET' })),
    ],
  }),
  ...(['apply', 'remove'] as const).map(
    (does): Defect => ({
      id: `isolation/we-${does}-what-is-theirs`,
      breaks: 'isolation/writes-stay-in-tenant',
      does: `answers 200 when a key of the first tenant ${does === 'apply' ? 'applies one of its labels to' : 'removes one of its labels from'} a record of the second`,
      around: onReplyTo(
        {
          refused: elsewhere,
          tenant: 'acme',
          where: (answered) =>
            labelWriteOf(answered, 'globex')?.does === does && labelWriteOf(answered, 'acme') === undefined,
        },
        withoutLabels,
      ),
    }),
  ),
];
